// Any bytes as a program in bytecode. Most fields are drawn from what the instruction allows, some are taken as they
// come: the verifier has to notice those. What it accepts must then run: machine and explorer rely on it.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "bytecode/instruction_shape.h"
#include "bytecode/print_program.h"
#include "bytecode/verify_program.h"
#include "small_run.h"

namespace {

using namespace heddle;
using namespace heddle::bytecode;

constexpr std::uint32_t register_count = 12;

class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool empty() const { return at_ == end_; }
  std::uint8_t byte() { return empty() ? 0 : *at_++; }
  std::uint32_t below(std::uint32_t bound) { return bound == 0 ? 0 : byte() % bound; }
  std::uint32_t word() { return byte() | byte() << 8 | byte() << 16 | static_cast<std::uint32_t>(byte()) << 24; }
  bool rarely() { return byte() == 0x7b; }

 private:
  const std::uint8_t *at_, *end_;
};

class ProgramReader {
 public:
  explicit ProgramReader(Bytes bytes) : bytes_(bytes) {}

  Program read() {
    program_.types.emplace_back();
    program_.files.emplace_back();
    program_.objects_of_code.emplace_back();
    program_.texts = {"a feature"};
    add_globals();
    const std::uint32_t functions = 1 + bytes_.below(3);
    for (std::uint32_t i = 0; i < functions; ++i) {
      Function& function = program_.functions.emplace_back();
      function.name = std::string(1, static_cast<char>('f' + i));
      function.parameter_slots = i == 0 ? 0 : bytes_.below(3);
      function.variadic = bytes_.rarely();
      function.register_count = bytes_.rarely() ? bytes_.word() : register_count;
    }
    program_.entry = bytes_.rarely() ? bytes_.word() : 0;
    if (bytes_.rarely()) program_.at_thread_end = bytes_.below(functions);
    for (Function& function : program_.functions) fill(function);
    return std::move(program_);
  }

 private:
  void add_globals() {
    Address address = globals_begin;
    for (const std::uint64_t size : {4, 8, 40, 32}) {
      Global global;
      global.info.name = "g" + std::to_string(size);
      global.address = address;
      global.size = size;
      global.constant = bytes_.rarely();
      global.bytes.assign(size, bytes_.rarely() ? bytes_.byte() : 0);
      if (bytes_.rarely()) global.size = bytes_.word();
      program_.globals.push_back(global);
      address += object_gap + 64;
    }
    if (bytes_.rarely()) {
      ThreadLocal local;
      local.size = 8;
      local.bytes.assign(8, 1);
      local.shared = bytes_.below(2) != 0;
      local.offset = bytes_.rarely() ? bytes_.word() : 0;
      (local.shared ? program_.shared_thread_local_bytes : program_.private_thread_local_bytes) = 8;
      program_.thread_locals.push_back(local);
    }
  }

  void fill(Function& function) {
    function.constants = {0, 1, 2, 3, 8, 16, 0x7fffffff, ~std::uint64_t{0}, std::uint64_t{1} << 63,
                          std::uint64_t{1} << 40, privates_begin, shareds_begin};
    for (const Global& global : program_.globals) function.constants.push_back(global.address);
    for (std::uint32_t i = 0; i < program_.functions.size(); ++i)
      function.constants.push_back(address_of_function(i));
    const std::uint32_t length = 1 + bytes_.below(24);
    for (std::uint32_t i = 0; i < length; ++i) function.code.push_back(instruction(function, length));
    SwitchTable table;
    table.cases = {{0, bytes_.below(length)}, {bytes_.byte(), bytes_.below(length)}};
    table.default_target = bytes_.below(length + 1);
    function.switches.push_back(table);
    Instruction last;
    last.op = Opcode::return_values;
    last.first_argument = static_cast<std::uint32_t>(function.arguments.size());
    if (bytes_.below(2) != 0) function.arguments.push_back(operand(function));
    last.argument_count = static_cast<std::uint32_t>(function.arguments.size()) - last.first_argument;
    if (!bytes_.rarely()) function.code.push_back(last);
    function.positions.resize(function.code.size());
  }

  Operand operand(const Function& function) {
    if (bytes_.rarely()) return bytes_.word();
    const std::uint32_t pick = bytes_.byte();
    return pick < 128 ? pick % (register_count - 1)
                      : constant_bit | pick % static_cast<std::uint32_t>(function.constants.size() - 1);
  }

  std::uint32_t field(FieldUse use, const Function& function, std::uint32_t length) {
    if (bytes_.rarely()) return bytes_.word();
    switch (use) {
      case FieldUse::none: return no_operand;
      case FieldUse::number: return 1u << bytes_.below(12);
      case FieldUse::slot:
      case FieldUse::value: return operand(function);
      case FieldUse::optional_value: return bytes_.below(2) != 0 ? no_operand : operand(function);
      case FieldUse::width: return width();
      case FieldUse::target: return bytes_.below(length + 1);
      case FieldUse::function: return bytes_.below(static_cast<std::uint32_t>(program_.functions.size()));
      case FieldUse::optional_text: return bytes_.below(2) != 0 ? no_operand : 0;
      case FieldUse::switch_table:
      case FieldUse::text:
      case FieldUse::object: return 0;
      default: return bytes_.below(literal_count(use));
    }
  }

  std::uint32_t width() {
    constexpr std::uint8_t widths[] = {8, 16, 32, 64, 128, 1, 7, 33, 80};
    return widths[bytes_.below(std::size(widths))];
  }

  Instruction instruction(Function& function, std::uint32_t length) {
    Instruction result;
    // Actions are more interesting than arithmetic.
    const std::uint8_t pick = bytes_.byte();
    constexpr std::uint32_t actions = opcode_count - static_cast<std::uint32_t>(Opcode::load);
    result.op = static_cast<Opcode>(
        pick < 100 ? pick % opcode_count : static_cast<std::uint32_t>(Opcode::load) + pick % actions);
    if (pick > 230) result.op = Opcode::library;
    if (bytes_.rarely()) result.op = static_cast<Opcode>(bytes_.byte());
    if (static_cast<std::uint32_t>(result.op) >= opcode_count) return result;
    const InstructionShape& shape = shape_of(result.op);
    result.bits = static_cast<std::uint8_t>(width());
    result.order = static_cast<MemoryOrder>(bytes_.below(bytes_.rarely() ? 255 : 6));
    result.a = field(shape.a, function, length);
    result.b = field(shape.b, function, length);
    result.c = field(shape.c, function, length);
    result.d = shape.d == FieldUse::none ? bytes_.below(2) : field(shape.d, function, length);
    result.dst = bytes_.rarely() ? bytes_.word() : bytes_.below(register_count - 3);
    if (!shape.has_arguments) return result;
    std::uint32_t count = bytes_.below(3);
    if (result.op == Opcode::call && result.b < program_.functions.size())
      count = program_.functions[result.b].parameter_slots;
    if (result.op == Opcode::library && result.d < library_call_count)
      count = shape_of(static_cast<LibraryCall>(result.d)).arguments;
    if (bytes_.rarely()) count = bytes_.byte();
    result.first_argument = static_cast<std::uint32_t>(function.arguments.size());
    result.argument_count = count;
    for (std::uint32_t i = 0; i < count; ++i) function.arguments.push_back(operand(function));
    if (bytes_.rarely()) result.first_argument = bytes_.word();
    return result;
  }

  Bytes bytes_;
  Program program_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr const char* models[] = {"sc", "tso", "rc11", "ra"};
  const char* model = models[data[0] % std::size(models)];
  const Program program = ProgramReader(Bytes(data + 1, size - 1)).read();
  if (!verify(program).empty()) return 0;
  HEDDLE_CHECK(!print(program).empty(), "a program without text");
  fuzz::explore_and_replay(program, fuzz::model(model));
  return 0;
}
