// See lower_types.h. Tested in load_program_test.cpp.
#include "frontend/lower_types.h"

#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

namespace heddle::frontend {

using bytecode::SourcePosition;
using bytecode::Type;

namespace {

Type::Kind basic_kind(unsigned encoding) {
  switch (encoding) {
    case llvm::dwarf::DW_ATE_signed: return Type::Kind::signed_integer;
    case llvm::dwarf::DW_ATE_unsigned: return Type::Kind::unsigned_integer;
    case llvm::dwarf::DW_ATE_boolean: return Type::Kind::boolean;
    case llvm::dwarf::DW_ATE_signed_char:
    case llvm::dwarf::DW_ATE_unsigned_char: return Type::Kind::character;
    case llvm::dwarf::DW_ATE_float: return Type::Kind::floating;
    default: return Type::Kind::unknown;
  }
}

// As the module says: LLVM does not make sure that each is a node of debug information.
std::vector<const llvm::Metadata*> elements_of(const llvm::DICompositeType& type) {
  std::vector<const llvm::Metadata*> result;
  if (const auto* list = llvm::dyn_cast_or_null<llvm::MDTuple>(type.getRawElements()))
    for (const llvm::MDOperand& element : list->operands()) result.push_back(element.get());
  return result;
}

constexpr int most_nested = 500;  // types inside each other; what lies deeper has no name

// Typedefs and qualifiers say nothing about what lies where.
const llvm::DIType* strip(const llvm::DIType* type) {
  for (int steps = 0; steps < most_nested; ++steps) {  // a damaged module may go round in circles
    const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type);
    if (!derived) return type;
    switch (derived->getTag()) {
      case llvm::dwarf::DW_TAG_typedef:
      case llvm::dwarf::DW_TAG_const_type:
      case llvm::dwarf::DW_TAG_volatile_type:
      case llvm::dwarf::DW_TAG_restrict_type:
      case llvm::dwarf::DW_TAG_atomic_type: type = derived->getBaseType(); break;
      default: return type;
    }
  }
  return nullptr;
}

}  // namespace

DebugInformation::DebugInformation(bytecode::Program& program, const std::vector<std::string>& files)
    : program_(program) {
  std::error_code ignored;
  directory_ = std::filesystem::current_path(ignored).string();
  for (const std::string& file : files) {
    given_[(std::filesystem::path(directory_) / file).lexically_normal().string()] = file;
  }
  if (program_.types.empty()) program_.types.emplace_back();
  if (program_.files.empty()) program_.files.emplace_back();
}

std::uint32_t DebugInformation::type(const llvm::DIType* type) {
  const llvm::DIType* plain = strip(type);
  if (!plain) return 0;
  if (const auto known = types_.find(plain); known != types_.end()) return known->second;
  if (nesting_ >= most_nested) return 0;
  ++nesting_;
  const std::uint32_t index = new_type(plain);
  --nesting_;
  return index;
}

std::uint32_t DebugInformation::new_type(const llvm::DIType* plain) {
  if (const auto* whole = llvm::dyn_cast<llvm::DICompositeType>(plain)) return composite(whole);

  const auto index = static_cast<std::uint32_t>(program_.types.size());
  types_[plain] = index;
  Type result;
  result.name = plain->getName().str();
  result.size = plain->getSizeInBits() / 8;
  program_.types.push_back(result);
  if (const auto* basic = llvm::dyn_cast<llvm::DIBasicType>(plain)) {
    program_.types[index].kind = basic_kind(basic->getEncoding());
  } else if (const auto* derived = llvm::dyn_cast<llvm::DIDerivedType>(plain)) {
    const bool points = derived->getTag() == llvm::dwarf::DW_TAG_pointer_type ||
                        derived->getTag() == llvm::dwarf::DW_TAG_reference_type ||
                        derived->getTag() == llvm::dwarf::DW_TAG_rvalue_reference_type;
    if (points) {
      const std::uint32_t element = this->type(derived->getBaseType());
      program_.types[index].kind = Type::Kind::pointer;
      program_.types[index].element = element;
    }
  }
  return index;
}

std::uint32_t DebugInformation::composite(const llvm::DICompositeType* type) {
  if (type->getTag() == llvm::dwarf::DW_TAG_array_type) return array(type);
  const auto index = static_cast<std::uint32_t>(program_.types.size());
  types_[type] = index;
  Type result;
  result.size = type->getSizeInBits() / 8;
  const std::string name = type->getName().str();
  switch (type->getTag()) {
    case llvm::dwarf::DW_TAG_structure_type:
    case llvm::dwarf::DW_TAG_class_type:
      result.kind = Type::Kind::structure;
      result.name = name.empty() ? "struct" : "struct " + name;
      break;
    case llvm::dwarf::DW_TAG_union_type:
      result.kind = Type::Kind::union_type;
      result.name = name.empty() ? "union" : "union " + name;
      break;
    case llvm::dwarf::DW_TAG_enumeration_type:
      result.kind = Type::Kind::signed_integer;
      if (const auto* base = llvm::dyn_cast_or_null<llvm::DIBasicType>(strip(type->getBaseType()))) {
        result.kind = basic_kind(base->getEncoding());
      }
      result.name = name.empty() ? "enum" : "enum " + name;
      break;
    default: break;
  }
  program_.types.push_back(result);
  if (result.kind == Type::Kind::structure || result.kind == Type::Kind::union_type) add_fields(type, index);
  return index;
}

void DebugInformation::add_fields(const llvm::DICompositeType* type, std::uint32_t index) {
  std::vector<Type::Field> fields;
  for (const llvm::Metadata* element : elements_of(*type)) {
    const auto* member = llvm::dyn_cast_or_null<llvm::DIDerivedType>(element);
    if (!member || member->isStaticMember()) continue;
    if (member->getTag() != llvm::dwarf::DW_TAG_member && member->getTag() != llvm::dwarf::DW_TAG_inheritance) continue;
    Type::Field field;
    field.name = member->getName().str();
    field.offset = member->getOffsetInBits() / 8;
    field.type = this->type(member->getBaseType());
    fields.push_back(std::move(field));
  }
  program_.types[index].fields = std::move(fields);
}

std::uint32_t DebugInformation::array(const llvm::DICompositeType* type) {
  std::vector<std::uint64_t> counts;
  for (const llvm::Metadata* element : elements_of(*type)) {
    const auto* range = llvm::dyn_cast_or_null<llvm::DISubrange>(element);
    const auto* count = range ? llvm::dyn_cast_if_present<llvm::ConstantInt*>(range->getCount()) : nullptr;
    // A variable-length or flexible array has no count: its elements are still worth naming.
    counts.push_back(count && count->getSExtValue() > 0 ? count->getZExtValue() : 0);
  }
  types_[type] = 0;  // until it is known: a damaged module may have an array of itself
  std::uint32_t element = this->type(type->getBaseType());
  std::string brackets;
  // The innermost dimension comes last.
  for (std::size_t i = counts.size(); i-- > 0;) {
    Type result;
    result.kind = Type::Kind::array;
    result.element = element;
    result.count = counts[i];
    result.size = counts[i] * program_.types[element].size;
    brackets = "[" + std::to_string(counts[i]) + "]" + brackets;
    const auto* base = strip(type->getBaseType());
    if (base) result.name = base->getName().str();
    result.name += brackets;
    element = static_cast<std::uint32_t>(program_.types.size());
    program_.types.push_back(std::move(result));
  }
  types_[type] = element;
  return element;
}

// clang splits paths into a directory and the rest as it likes.
std::string DebugInformation::path_of(const llvm::DIFile* file) const {
  const std::filesystem::path name = file->getFilename().str();
  const auto whole = (std::filesystem::path(file->getDirectory().str()) / name).lexically_normal();
  if (const auto given = given_.find(whole.string()); given != given_.end()) return given->second;
  if (!whole.is_absolute() || directory_.empty()) return name.string();
  const std::string relative = whole.lexically_relative(directory_).string();
  return relative.empty() || relative.starts_with("..") ? whole.string() : relative;
}

SourcePosition DebugInformation::position(const llvm::Metadata* metadata, unsigned line, unsigned column) {
  const auto* file = llvm::dyn_cast_or_null<llvm::DIFile>(metadata);
  if (!file || line == 0) return {};
  auto [entry, added] = files_.try_emplace(file, 0);
  if (added) {
    const std::string name = path_of(file);
    const auto known = std::find(program_.files.begin(), program_.files.end(), name);
    entry->second = static_cast<std::uint32_t>(known - program_.files.begin());
    if (known == program_.files.end()) program_.files.push_back(name);
  }
  return {entry->second, line, column};
}

SourcePosition DebugInformation::position(const llvm::DILocation* location) {
  if (!location) return {};
  return position(location->getScope()->getRawFile(), location->getLine(), location->getColumn());
}

}  // namespace heddle::frontend
