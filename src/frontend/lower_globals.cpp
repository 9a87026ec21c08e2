// See lower_globals.h. Tested in load_program_test.cpp.
#include "frontend/lower_globals.h"

#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <cstring>

#include "frontend/capture_analysis.h"

namespace heddle::frontend {

using bytecode::Address;

namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

// Streams of the C library, and what run-time type information of C++ points to: nothing but their identity matters.
bool is_stream(llvm::StringRef name) {
  return name == "stdout" || name == "stderr" || name == "stdin" || name.starts_with("_ZTVN10__cxxabiv1");
}

bool is_metadata(const llvm::GlobalVariable& variable) { return variable.getName().starts_with("llvm."); }

void write_integer(const llvm::APInt& value, std::uint64_t size, std::uint8_t* bytes) {
  for (std::uint64_t i = 0; i < size; ++i) {
    if (i * 8 >= value.getBitWidth()) break;
    const unsigned width = std::min<unsigned>(8, value.getBitWidth() - static_cast<unsigned>(i * 8));
    bytes[i] = static_cast<std::uint8_t>(value.extractBitsAsZExtValue(width, static_cast<unsigned>(i * 8)));
  }
}

}  // namespace

GlobalTable::GlobalTable(const llvm::Module& module, bytecode::Program& program, DebugInformation& debug)
    : module_(module), layout_(module.getDataLayout()), program_(program), debug_(debug) {}

void GlobalTable::place(const CaptureAnalysis& captures, Diagnostics& problems) {
  for (const llvm::Function& function : module_) {
    if (function.isDeclaration()) continue;
    const auto index = static_cast<std::uint32_t>(functions_.size());
    functions_[&function] = index;
  }
  for (const llvm::GlobalVariable& variable : module_.globals()) {
    if (is_metadata(variable)) continue;
    if (variable.isDeclaration() && !is_stream(variable.getName())) continue;
    if (!has_room(variable, problems)) return;
    if (variable.isThreadLocal()) {
      place_thread_local(variable, captures.is_captured(&variable));
    } else {
      place_global(variable);
    }
  }
}

// Every byte of a variable is kept, so that a huge one would take the machine's memory before anything is checked.
bool GlobalTable::has_room(const llvm::GlobalVariable& variable, Diagnostics& problems) {
  constexpr std::uint64_t most_bytes = std::uint64_t{1} << 28, largest_alignment = 1 << 20;
  const llvm::TypeSize size = layout_.getTypeAllocSize(variable.getValueType());
  const bool fits = !size.isScalable() && size.getFixedValue() <= most_bytes - bytes_ &&
                    variable.getAlign().valueOrOne().value() <= largest_alignment &&
                    layout_.getABITypeAlign(variable.getValueType()).value() <= largest_alignment;
  if (fits) {
    bytes_ += size.getFixedValue();
    return true;
  }
  const bytecode::ObjectInfo info = describe(variable);
  const bool known = info.declared.file < program_.files.size();
  problems.push_back(
      {.file = known ? program_.files[info.declared.file] : "",
       .line = info.declared.line,
       .message = fmt::format("no room for the variable '{}': all variables of a program may take {} MiB", info.name,
                              most_bytes >> 20),
       .hint = "check a smaller instance: tests need few elements to go wrong"});
  return false;
}

bytecode::ObjectInfo GlobalTable::describe(const llvm::GlobalVariable& variable) const {
  bytecode::ObjectInfo info;
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> expressions;
  variable.getDebugInfo(expressions);
  if (!expressions.empty() && !expressions.front()->getVariable()->getName().empty()) {
    const llvm::DIGlobalVariable* described = expressions.front()->getVariable();
    info.name = described->getName().str();
    info.type = debug_.type(described->getType());
    info.declared = debug_.position(described->getRawFile(), described->getLine(), 0);
  } else {
    info.name = variable.getName().str();
    if (variable.hasPrivateLinkage() && variable.isConstant()) info.name = "string literal";
  }
  return info;
}

void GlobalTable::place_global(const llvm::GlobalVariable& variable) {
  bytecode::Global global;
  global.info = describe(variable);
  global.size = layout_.getTypeAllocSize(variable.getValueType());
  global.constant = variable.isConstant() || is_stream(variable.getName());
  const std::uint64_t alignment = std::max<std::uint64_t>(variable.getAlign().valueOrOne().value(),
                                                          layout_.getABITypeAlign(variable.getValueType()).value());
  global.address = round_up(next_address_, alignment);
  global.bytes.assign(global.size, 0);
  next_address_ = global.address + global.size + bytecode::object_gap;
  globals_[&variable] = static_cast<std::uint32_t>(program_.globals.size());
  program_.globals.push_back(std::move(global));
}

void GlobalTable::place_thread_local(const llvm::GlobalVariable& variable, bool shared) {
  bytecode::ThreadLocal local;
  local.info = describe(variable);
  local.size = layout_.getTypeAllocSize(variable.getValueType());
  local.alignment = std::max<std::uint64_t>(variable.getAlign().valueOrOne().value(),
                                            layout_.getABITypeAlign(variable.getValueType()).value());
  local.shared = shared;
  local.bytes.assign(local.size, 0);
  std::uint64_t& end = shared ? program_.shared_thread_local_bytes : program_.private_thread_local_bytes;
  local.offset = round_up(end, local.alignment);
  end = local.offset + local.size;
  thread_locals_[&variable] = static_cast<std::uint32_t>(program_.thread_locals.size());
  program_.thread_locals.push_back(std::move(local));
}

void GlobalTable::initialise(Diagnostics& problems) {
  const auto fill = [&](const llvm::GlobalVariable* variable, std::vector<std::uint8_t>& bytes) {
    if (!variable->hasInitializer() || write(variable->getInitializer(), bytes.data())) return;
    problems.push_back({.message = fmt::format("the initial value of '{}' cannot be computed: {}",
                                               variable->getName().str(), problem_),
                        .hint = "give all files that the program consists of"});
  };
  for (const llvm::GlobalVariable& variable : module_.globals()) {
    if (const auto known = globals_.find(&variable); known != globals_.end()) {
      fill(&variable, program_.globals[known->second].bytes);
      if (is_stream(variable.getName())) {
        // A stream is an address that nothing dereferences: its own.
        auto& global = program_.globals[known->second];
        if (global.bytes.size() == 8) std::memcpy(global.bytes.data(), &global.address, 8);
      }
    } else if (const auto local = thread_locals_.find(&variable); local != thread_locals_.end()) {
      fill(&variable, program_.thread_locals[local->second].bytes);
    }
  }
}

std::optional<std::uint32_t> GlobalTable::function_index(const llvm::Function* function) const {
  const auto known = functions_.find(function);
  if (known == functions_.end()) return std::nullopt;
  return known->second;
}

const bytecode::ThreadLocal* GlobalTable::thread_local_variable(const llvm::GlobalVariable* variable) const {
  const auto known = thread_locals_.find(variable);
  return known == thread_locals_.end() ? nullptr : &program_.thread_locals[known->second];
}

bool GlobalTable::write(const llvm::Constant* constant, std::uint8_t* bytes) const {
  const llvm::Type* type = constant->getType();
  if (llvm::isa<llvm::ConstantAggregateZero, llvm::UndefValue, llvm::ConstantPointerNull>(constant)) return true;
  if (const auto* data = llvm::dyn_cast<llvm::ConstantDataSequential>(constant)) {
    const llvm::StringRef raw = data->getRawDataValues();
    std::memcpy(bytes, raw.data(), raw.size());
    return true;
  }
  if (llvm::isa<llvm::ConstantStruct>(constant)) {
    auto* structure = llvm::cast<llvm::StructType>(constant->getType());
    const llvm::StructLayout* fields = layout_.getStructLayout(structure);
    for (unsigned i = 0; i < constant->getNumOperands(); ++i) {
      const auto* field = llvm::cast<llvm::Constant>(constant->getOperand(i));
      if (!write(field, bytes + fields->getElementOffset(i))) return false;
    }
    return true;
  }
  if (llvm::isa<llvm::ConstantArray, llvm::ConstantVector>(constant)) {
    const std::uint64_t stride = layout_.getTypeAllocSize(constant->getOperand(0)->getType());
    for (unsigned i = 0; i < constant->getNumOperands(); ++i) {
      if (!write(llvm::cast<llvm::Constant>(constant->getOperand(i)), bytes + i * stride)) return false;
    }
    return true;
  }
  const std::uint64_t size = layout_.getTypeStoreSize(const_cast<llvm::Type*>(type));
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    write_integer(integer->getValue(), size, bytes);
    return true;
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    write_integer(number->getValueAPF().bitcastToAPInt(), size, bytes);
    return true;
  }
  const auto value = evaluate(constant);
  if (!value || size > 8) return false;
  std::memcpy(bytes, &*value, size);
  return true;
}

std::optional<std::uint64_t> GlobalTable::evaluate(const llvm::Constant* constant) const {
  if (llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(constant)) return 0;
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    if (integer->getBitWidth() > 64) return std::nullopt;
    return integer->getZExtValue();
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    const llvm::APInt bits = number->getValueAPF().bitcastToAPInt();
    if (bits.getBitWidth() > 64) return std::nullopt;
    return bits.getZExtValue();
  }
  if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(constant)) return evaluate(alias->getAliasee());
  if (const auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
    if (const auto index = function_index(function)) return bytecode::address_of_function(*index);
  }
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(constant)) {
    if (const auto known = globals_.find(variable); known != globals_.end()) {
      return program_.globals[known->second].address;
    }
    const bytecode::ThreadLocal* local = thread_local_variable(variable);
    if (local && !local->shared) return bytecode::privates_begin + local->offset;
  }
  if (const auto* value = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    problem_ = fmt::format("'{}' is declared but not defined", value->getName().str());
    return std::nullopt;
  }
  return evaluate_expression(constant);
}

std::optional<std::uint64_t> GlobalTable::evaluate_expression(const llvm::Constant* constant) const {
  const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(constant);
  const auto fail = [&]() -> std::optional<std::uint64_t> {
    problem_ = "a constant expression of this kind is not supported";
    return std::nullopt;
  };
  if (!expression) return fail();
  if (const auto* element = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
    llvm::APInt offset(64, 0);
    if (!element->accumulateConstantOffset(layout_, offset)) return fail();
    const auto base = evaluate(llvm::cast<llvm::Constant>(element->getPointerOperand()));
    if (!base) return std::nullopt;
    return *base + offset.getZExtValue();
  }
  const auto a = evaluate(expression->getOperand(0));
  if (!a) return std::nullopt;
  const auto cut = [&](std::uint64_t value) -> std::uint64_t {
    const unsigned bits = expression->getType()->isIntegerTy() ? expression->getType()->getIntegerBitWidth() : 64;
    return bits >= 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  };
  switch (expression->getOpcode()) {
    case llvm::Instruction::BitCast:
    case llvm::Instruction::AddrSpaceCast:
    case llvm::Instruction::IntToPtr: return a;
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc: return cut(*a);
    default: break;
  }
  if (expression->getNumOperands() != 2) return fail();
  const auto b = evaluate(expression->getOperand(1));
  if (!b) return std::nullopt;
  switch (expression->getOpcode()) {
    case llvm::Instruction::Add: return cut(*a + *b);
    case llvm::Instruction::Sub: return cut(*a - *b);
    case llvm::Instruction::Mul: return cut(*a * *b);
    case llvm::Instruction::Xor: return cut(*a ^ *b);
    default: return fail();
  }
}

}  // namespace heddle::frontend
