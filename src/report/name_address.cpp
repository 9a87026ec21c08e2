// See name_address.h. The descent through a type follows the byte offset: arrays by division, structures by the field
// that holds the offset. Names that the language reserves for its implementation (`_M_i` in std::atomic, `__data` in
// pthread_mutex_t) are left out: the reader has never written them.
#include "report/name_address.h"

#include <cxxabi.h>
#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdlib>
#include <memory>

#include <fmt/format.h>

#include "report/source_lines.h"

namespace heddle::report {

using bytecode::Address;
using bytecode::Type;

namespace {

constexpr int deepest_type = 32;  // levels of nesting; stops at malformed type tables

bool is_reserved(const std::string& name) {
  return name.empty() || (name.size() > 1 && name[0] == '_' &&
                          (name[1] == '_' || std::isupper(static_cast<unsigned char>(name[1])) != 0));
}

std::int64_t sign_extended(std::uint64_t value, unsigned size) {
  if (size == 0 || size >= 8) return static_cast<std::int64_t>(value);
  const unsigned shift = 64 - 8 * size;
  return static_cast<std::int64_t>(value << shift) >> shift;
}

std::string character(std::uint64_t value, unsigned size) {
  if (value >= 0x20 && value < 0x7f) return fmt::format("'{}'", static_cast<char>(value));
  return fmt::format("{}", sign_extended(value, size));
}

}  // namespace

std::string readable_function(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                     std::free);
  if (status != 0 || !plain) return name;
  std::string result = plain.get();
  return result.substr(0, result.find('('));
}

const Type& Names::type_of(std::uint32_t type) const {
  static const Type unknown;
  return type < program_.types.size() ? program_.types[type] : unknown;
}

AddressName Names::inside(const std::string& name, std::uint32_t type, std::uint64_t object_size, std::uint64_t offset,
                          unsigned size, bool heap) const {
  if (offset >= object_size) {
    const std::uint64_t past = offset - object_size;
    return {past == 0 ? fmt::format("the byte just past the end of {}", name)
                      : fmt::format("{} bytes past the end of {}", past, name),
            0, true};
  }
  if (type == 0) {
    if (heap) return {fmt::format("{}[{}]", name, offset), 0, true};
    return {offset == 0 ? name : fmt::format("{}+{}", name, offset), 0, true};
  }
  std::string text = name;
  for (int depth = 0; depth < deepest_type; ++depth) {
    const Type& t = type_of(type);
    if (t.kind == Type::Kind::array && t.count != 0 && type_of(t.element).size != 0) {
      const std::uint64_t element = type_of(t.element).size;
      text += fmt::format("[{}]", offset / element);
      offset %= element;
      type = t.element;
      continue;
    }
    if (t.kind != Type::Kind::structure && t.kind != Type::Kind::union_type) break;
    if (offset == 0 && size == t.size && t.fields.size() != 1) break;  // the whole of it
    const Type::Field* chosen = nullptr;
    for (const Type::Field& field : t.fields) {
      const std::uint64_t field_size = type_of(field.type).size;
      if (offset < field.offset || offset + size > field.offset + field_size) continue;
      if (!chosen || field_size < type_of(chosen->type).size) chosen = &field;
    }
    if (!chosen) break;
    if (!is_reserved(chosen->name)) text += "." + chosen->name;
    offset -= chosen->offset;
    type = chosen->type;
  }
  if (offset != 0) return {fmt::format("{}+{}", text, offset), 0, true};
  return {text, type_of(type).size == size ? type : 0, true};
}

std::string Names::object_name(const bytecode::RecordedObject& object) const {
  const bytecode::SourcePosition source = source_of(program_, object.allocated);
  if (object.kind == bytecode::ObjectKind::heap) {
    std::string name = source.line == 0
                           ? std::string("malloc@?")
                           : fmt::format("malloc@{}:{}", without_folders(file_of(program_, source)), source.line);
    unsigned before = 0, all = 0;
    for (const bytecode::RecordedObject& other : execution_.objects) {
      if (other.kind != object.kind || !(other.allocated == object.allocated)) continue;
      ++all;
      if (&other <= &object) ++before;
    }
    return all > 1 ? fmt::format("{}#{}", name, before) : name;
  }
  std::string name = object.info < program_.objects_of_code.size() ? program_.objects_of_code[object.info].name : "";
  if (name.empty())
    return source.line == 0 ? std::string("a local variable") : fmt::format("a local of line {}", source.line);
  const bool shared_name = std::any_of(execution_.objects.begin(), execution_.objects.end(), [&](const auto& other) {
    return other.kind == object.kind && other.info == object.info && other.thread != object.thread;
  });
  return shared_name ? fmt::format("{} of {}", name, thread(object.thread)) : name;
}

const bytecode::RecordedObject* Names::object_at(Address address) const {
  const bytecode::RecordedObject* best = nullptr;
  for (const bytecode::RecordedObject& object : execution_.objects) {
    if (address < object.address || address - object.address >= object.size + bytecode::object_gap) continue;
    if (!best || object.address >= best->address) best = &object;
  }
  return best;
}

AddressName Names::address(Address address, unsigned size) const {
  if (bytecode::is_function(address)) {
    const std::uint64_t index = (address - bytecode::functions_begin) / bytecode::function_slot;
    if (index < program_.functions.size()) return {readable_function(program_.functions[index].name), 0, true};
  }
  if (bytecode::is_global(address)) {
    auto next = std::upper_bound(program_.globals.begin(), program_.globals.end(), address,
                                 [](Address a, const bytecode::Global& g) { return a < g.address; });
    if (next != program_.globals.begin()) {
      const bytecode::Global& global = *--next;
      const std::uint64_t offset = address - global.address;
      if (offset < global.size + bytecode::object_gap) {
        return inside(global.info.name, global.info.type, global.size, offset, size, false);
      }
    }
  }
  if (bytecode::is_shared_object(address)) {
    const unsigned owner = bytecode::owner_thread(address);
    const std::uint64_t offset = address - bytecode::shared_base(owner);
    for (const bytecode::ThreadLocal& local : program_.thread_locals) {
      if (!local.shared || offset < local.offset || offset - local.offset >= local.size) continue;
      return inside(fmt::format("{} of {}", local.info.name, thread(owner)), local.info.type, local.size,
                    offset - local.offset, size, false);
    }
  }
  if (const bytecode::RecordedObject* object = object_at(address)) {
    const bool heap = object->kind == bytecode::ObjectKind::heap;
    const std::uint32_t type =
        !heap && object->info < program_.objects_of_code.size() ? program_.objects_of_code[object->info].type : 0;
    return inside(object_name(*object), type, object->size, address - object->address, size, heap);
  }
  return {fmt::format("0x{:x}", address), 0, false};
}

std::string Names::pointer(std::uint64_t target) const {
  if (target == 0) return "NULL";
  const AddressName name = address(target, 1);
  if (!name.known) return name.text;
  if (bytecode::is_function(target)) return name.text;
  // A pointer to an object means the object, not its first byte.
  if (const bytecode::RecordedObject* object = object_at(target); object && object->address == target) {
    return "&" + object_name(*object);
  }
  for (const bytecode::Global& global : program_.globals) {
    if (global.address == target) return "&" + global.info.name;
  }
  return "&" + name.text;
}

std::string Names::value_of_type(Value value, unsigned size, std::uint32_t type) const {
  const Type& t = type_of(type);
  if (size > 8 && value.high != 0 && t.kind != Type::Kind::structure) {
    return fmt::format("0x{:x}{:016x}", value.high, value.low);
  }
  switch (t.kind) {
    case Type::Kind::signed_integer: return fmt::format("{}", sign_extended(value.low, size));
    case Type::Kind::unsigned_integer: return fmt::format("{}", value.low);
    case Type::Kind::boolean: return value.low == 0 ? "false" : value.low == 1 ? "true" : fmt::format("{}", value.low);
    case Type::Kind::character: return character(value.low, size);
    case Type::Kind::floating:
      if (size == 4) return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value.low)));
      if (size == 8) return fmt::format("{}", std::bit_cast<double>(value.low));
      return fmt::format("0x{:x}", value.low);
    case Type::Kind::pointer: return pointer(value.low);
    case Type::Kind::structure: {
      std::string text;
      for (const Type::Field& field : t.fields) {
        const std::uint64_t field_size = type_of(field.type).size;
        if (field_size == 0 || field_size > 8 || field.offset + field_size > size)
          return fmt::format("0x{:x}", value.low);
        const bool high = field.offset >= 8;
        if (!high && field.offset + field_size > 8) return fmt::format("0x{:x}", value.low);
        const Value part = truncate({(high ? value.high : value.low) >> (8 * (field.offset % 8)), 0},
                                    static_cast<unsigned>(field_size));
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", field.name,
                            value_of_type(part, static_cast<unsigned>(field_size), field.type));
      }
      return "{" + text + "}";
    }
    default: break;
  }
  // Nothing is known: an address is shown as one, a small negative number too.
  if (size == 8 && value.low >= bytecode::functions_begin && address(value.low, 1).known) return pointer(value.low);
  const std::int64_t with_sign = sign_extended(value.low, size);
  if (with_sign < 0 && with_sign >= -4096) return fmt::format("{}", with_sign);
  return fmt::format("{}", value.low);
}

std::string Names::value(Value value, unsigned size, Address of) const {
  return value_of_type(value, size, address(of, size).type);
}

std::string Names::thread(std::uint32_t id) const {
  if (id >= execution_.threads.size()) return fmt::format("thread {}", id);
  const std::uint32_t function = execution_.threads[id].function;
  if (function >= program_.functions.size()) return fmt::format("thread {}", id);
  unsigned before = 0, all = 0;
  for (const bytecode::RecordedThread& other : execution_.threads) {
    if (other.function != function) continue;
    ++all;
    if (other.id <= id) ++before;
  }
  const std::string name = readable_function(program_.functions[function].name);
  return all > 1 ? fmt::format("{} #{}", name, before) : name;
}

std::string Names::thread_with_number(std::uint32_t id) const { return fmt::format("thread {} ({})", id, thread(id)); }

}  // namespace heddle::report
