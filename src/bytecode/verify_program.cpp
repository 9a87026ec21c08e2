#include "bytecode/verify_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>

#include "bytecode/instruction_shape.h"

namespace heddle::bytecode {

namespace {

constexpr std::size_t most_findings = 100;
// The machine shifts and adds these; the limits keep a hostile program from asking for absurd frames.
constexpr std::uint32_t most_registers = 1 << 24;

class Verifier {
 public:
  explicit Verifier(const Program& program) : program_(program) {}

  Diagnostics run() {
    check_tables();
    check_globals();
    check_thread_locals();
    for (const Function& function : program_.functions) returned_slots_.push_back(returned_slots(function));
    for (const Function& function : program_.functions) check_function(function);
    return std::move(findings_);
  }

 private:
  void report(std::string message) {
    if (findings_.size() < most_findings) findings_.push_back({.message = std::move(message)});
  }
  // About the instruction being checked.
  void report_here(const std::string& message) {
    report(fmt::format("function {}, instruction {} ({}): {}", function_->name, index_, shape_->name, message));
  }

  void check_tables() {
    if (program_.entry >= program_.functions.size()) report("the entry function does not exist");
    if (const auto last = program_.at_thread_end;
        last && (*last >= program_.functions.size() || program_.functions[*last].parameter_slots != 1))
      report("the function for the end of threads does not exist, or does not take the thread's value");
    auto check_type = [&](std::uint32_t type, const std::string& whose) {
      if (type != 0 && type >= program_.types.size()) report(fmt::format("{} has a type that does not exist", whose));
    };
    for (const ObjectInfo& object : program_.objects_of_code) check_type(object.type, "stack object " + object.name);
    for (const Global& global : program_.globals) check_type(global.info.type, "global " + global.info.name);
    for (const ThreadLocal& local : program_.thread_locals)
      check_type(local.info.type, "thread-local " + local.info.name);
    for (const Type& type : program_.types) {
      check_type(type.element, "type " + type.name);
      for (const Type::Field& field : type.fields)
        check_type(field.type, fmt::format("field {}.{}", type.name, field.name));
    }
  }

  void check_globals() {
    Address end = globals_begin;
    for (const Global& global : program_.globals) {
      if (global.bytes.size() != global.size)
        report(fmt::format("global {} has {} bytes but {} initial ones", global.info.name, global.size,
                           global.bytes.size()));
      if (global.address < end)
        report(fmt::format("global {} is not sorted by address, or overlaps", global.info.name));
      if (global.address >= privates_begin || global.size > privates_begin - global.address) {
        report(fmt::format("global {} lies outside of the range of globals", global.info.name));
        return;
      }
      end = std::max(end, global.address + global.size);
    }
  }

  void check_thread_locals() {
    constexpr std::uint64_t most_bytes = 1 << 30;
    if (program_.private_thread_local_bytes > most_bytes || program_.shared_thread_local_bytes > most_bytes)
      report("the thread-locals take more than 1 GiB");
    for (const ThreadLocal& local : program_.thread_locals) {
      if (local.bytes.size() != local.size)
        report(fmt::format("thread-local {} has {} bytes but {} initial ones", local.info.name, local.size,
                           local.bytes.size()));
      std::uint64_t room = local.shared ? program_.shared_thread_local_bytes : program_.private_thread_local_bytes;
      if (local.offset > room || local.size > room - local.offset)
        report(fmt::format("thread-local {} lies outside of the bytes of thread-locals", local.info.name));
    }
  }

  static std::uint32_t returned_slots(const Function& function) {
    std::uint32_t slots = 0;
    for (const Instruction& instruction : function.code)
      if (instruction.op == Opcode::return_values) slots = std::max(slots, instruction.argument_count);
    return slots;
  }

  void check_function(const Function& function) {
    function_ = &function;
    if (function.register_count > most_registers || function.parameter_slots > function.register_count)
      report(fmt::format("function {} has {} registers for {} parameter slots", function.name, function.register_count,
                         function.parameter_slots));
    if (function.positions.size() != function.code.size())
      report(fmt::format("function {} has {} instructions but {} positions", function.name, function.code.size(),
                         function.positions.size()));
    for (const SourcePosition& position : function.positions)
      if (position.file != 0 && position.file >= program_.files.size())
        report(fmt::format("function {} has a position in a file that does not exist", function.name));
    if (function.code.empty()) return report(fmt::format("function {} has no instructions", function.name));
    for (const SwitchTable& table : function.switches) check_switch(table);
    check_loops(function);
    for (index_ = 0; index_ < function.code.size(); ++index_) {
      const Instruction& instruction = function.code[index_];
      if (static_cast<std::uint32_t>(instruction.op) >= opcode_count) {
        report(fmt::format("function {}, instruction {}: unknown opcode", function.name, index_));
        continue;
      }
      shape_ = &shape_of(instruction.op);
      check_instruction(instruction);
    }
    if (!shape_of_last_ends_block()) report(fmt::format("control runs off the end of function {}", function.name));
  }

  bool shape_of_last_ends_block() const {
    Opcode op = function_->code.back().op;
    return static_cast<std::uint32_t>(op) < opcode_count && shape_of(op).ends_block;
  }

  void check_switch(const SwitchTable& table) {
    bool in_range = table.default_target < function_->code.size();
    for (const SwitchTable::Case& one : table.cases) in_range = in_range && one.target < function_->code.size();
    if (!in_range) report(fmt::format("function {}: a switch jumps to no instruction", function_->name));
    if (!std::is_sorted(table.cases.begin(), table.cases.end(), [](auto& x, auto& y) { return x.value < y.value; }))
      report(fmt::format("function {}: the cases of a switch are not sorted", function_->name));
  }

  // No instruction may use the registers that belong to the machine: it keeps pointers there.
  void check_loops(const Function& function) {
    std::vector<bool> reserved(std::min(function.register_count, most_registers), false);
    for (const WatchedLoop& loop : function.loops) {
      if (std::uint64_t{loop.snapshots} + loop.slots() > reserved.size())
        return report(fmt::format("function {}: a loop has no room for its snapshot", function.name));
      for (std::uint32_t i = 0; i < loop.slots(); ++i) {
        if (reserved[loop.snapshots + i] || loop.snapshots < function.parameter_slots)
          return report(fmt::format("function {}: the snapshot of a loop is in use otherwise", function.name));
        reserved[loop.snapshots + i] = true;
      }
    }
    std::uint32_t first_reserved = function.register_count;
    for (const WatchedLoop& loop : function.loops) first_reserved = std::min(first_reserved, loop.snapshots);
    usable_registers_ = first_reserved;
    for (const WatchedLoop& loop : function.loops)
      for (const std::uint32_t live : loop.live)
        if (live >= usable_registers_)
          report(fmt::format("function {}: a loop watches register {} of {}", function.name, live, usable_registers_));
  }

  void check_instruction(const Instruction& instruction) {
    if (!width_allowed(shape_->width, instruction.bits))
      report_here(fmt::format("{} is no width for it", instruction.bits));
    check_field(shape_->a, instruction.a, instruction, "a");
    check_field(shape_->b, instruction.b, instruction, "b");
    check_field(shape_->c, instruction.c, instruction, "c");
    check_field(shape_->d, instruction.d, instruction, "d");
    check_result(instruction);
    if (shape_->has_arguments) check_arguments(instruction);
    check_order(instruction);
    if (instruction.op == Opcode::stack_object && !std::has_single_bit(instruction.b))
      report_here("the alignment is no power of two");
    if (instruction.op == Opcode::integer_function && instruction.bits == 128 &&
        instruction.d >= static_cast<std::uint32_t>(IntegerFunction::signed_add_saturated))
      report_here("saturating arithmetic has at most 64 bits");
    if (instruction.op == Opcode::integer_function &&
        instruction.d == static_cast<std::uint32_t>(IntegerFunction::byte_swap) && instruction.bits % 8 != 0)
      report_here("only whole bytes can be swapped");
  }

  static bool width_allowed(WidthUse use, unsigned bits) {
    switch (use) {
      case WidthUse::none: return true;
      case WidthUse::any: return bits <= 64 || bits == 128;
      case WidthUse::integer: return (bits >= 1 && bits <= 64) || bits == 128;
      case WidthUse::narrow: return bits >= 1 && bits <= 64;
      case WidthUse::floating: return bits == 32 || bits == 64 || bits == 80;
      case WidthUse::access: return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
    }
    return false;
  }

  static std::uint32_t slots_of(std::uint32_t bits) { return bits > 64 ? 2 : 1; }

  void check_operand(Operand operand, std::uint32_t slots, const char* which) {
    bool constant = (operand & constant_bit) != 0;
    std::uint64_t index = operand & ~constant_bit;
    std::uint64_t limit = constant ? function_->constants.size() : usable_registers_;
    if (!constant && operand == no_operand)
      report_here(fmt::format("operand {} is missing", which));
    else if (index + slots > limit)
      report_here(fmt::format("operand {} is {} {} of {}", which, constant ? "constant" : "register", index, limit));
  }

  void check_index(std::uint64_t index, std::uint64_t limit, const char* which, const char* what) {
    if (index >= limit) report_here(fmt::format("{} is {} {} of {}", which, what, index, limit));
  }

  void check_field(FieldUse use, std::uint32_t value, const Instruction& instruction, const char* which) {
    switch (use) {
      case FieldUse::none:
      case FieldUse::number:
      case FieldUse::optional_number: return;
      case FieldUse::slot: return check_operand(value, 1, which);
      case FieldUse::value: return check_operand(value, slots_of(instruction.bits), which);
      case FieldUse::optional_value:
        if (value != no_operand) check_operand(value, slots_of(instruction.bits), which);
        return;
      case FieldUse::width: {
        bool to_float = instruction.op == Opcode::float_to_float || instruction.op == Opcode::signed_to_float ||
                        instruction.op == Opcode::unsigned_to_float;
        if (!width_allowed(to_float ? WidthUse::floating : WidthUse::integer, value))
          report_here(fmt::format("it cannot convert to {} bits", value));
        return;
      }
      case FieldUse::target: return check_index(value, function_->code.size(), which, "instruction");
      case FieldUse::function: return check_index(value, program_.functions.size(), which, "function");
      case FieldUse::loop: return check_index(value, function_->loops.size(), which, "loop");
      case FieldUse::switch_table: return check_index(value, function_->switches.size(), which, "switch table");
      case FieldUse::text: return check_index(value, program_.texts.size(), which, "text");
      case FieldUse::optional_text:
        if (value != no_operand) check_index(value, program_.texts.size(), which, "text");
        return;
      case FieldUse::object:
        if (value != 0) check_index(value, program_.objects_of_code.size(), which, "object");
        return;
      default: return check_index(value, literal_count(use), which, "literal");
    }
  }

  void check_result(const Instruction& instruction) {
    std::uint32_t slots = 0;
    bool optional = false;
    switch (shape_->result) {
      case ResultUse::none: return;
      case ResultUse::slot: slots = 1; break;
      case ResultUse::value: slots = slots_of(instruction.bits); break;
      case ResultUse::optional_value:
        slots = slots_of(instruction.bits);
        optional = true;
        break;
      case ResultUse::optional_value_and_flag:
        slots = slots_of(instruction.bits) + 1;
        optional = true;
        break;
      case ResultUse::two_slots: slots = 2; break;
      case ResultUse::converted: slots = slots_of(instruction.c); break;
      case ResultUse::optional_slot:
        slots = 1;
        optional = true;
        break;
      case ResultUse::call:
        optional = true;
        slots = instruction.op == Opcode::call && instruction.b < program_.functions.size()
                    ? returned_slots_[instruction.b]
                    : 1;
        break;
    }
    if (optional && instruction.dst == no_operand) return;
    if (std::uint64_t{instruction.dst} + slots > usable_registers_)
      report_here(fmt::format("the result goes to register {} of {}", instruction.dst, usable_registers_));
  }

  void check_arguments(const Instruction& instruction) {
    std::uint64_t end = std::uint64_t{instruction.first_argument} + instruction.argument_count;
    if (end > function_->arguments.size()) return report_here("its arguments lie outside of the function's");
    bool library = instruction.op == Opcode::library && instruction.d < library_call_count;
    const LibraryShape* call = library ? &shape_of(static_cast<LibraryCall>(instruction.d)) : nullptr;
    for (std::uint32_t i = 0; i < instruction.argument_count; ++i) {
      Operand operand = function_->arguments[instruction.first_argument + i];
      if (call && i == call->literal_argument && (operand & constant_bit) == 0) continue;
      check_operand(operand, 1, "of the arguments");
    }
    if (call &&
        (call->variadic ? instruction.argument_count < call->arguments : instruction.argument_count != call->arguments))
      report_here(
          fmt::format("{} takes {} arguments, not {}", call->name, call->arguments, instruction.argument_count));
    if (instruction.op == Opcode::call && instruction.b < program_.functions.size()) {
      const Function& callee = program_.functions[instruction.b];
      if (callee.variadic ? instruction.argument_count < callee.parameter_slots
                          : instruction.argument_count != callee.parameter_slots)
        report_here(fmt::format("{} takes {} argument slots, not {}", callee.name, callee.parameter_slots,
                                instruction.argument_count));
    }
  }

  void check_order(const Instruction& instruction) {
    MemoryOrder order = instruction.order;
    bool allowed = order <= MemoryOrder::seq_cst;
    switch (instruction.op) {
      case Opcode::load:
        allowed = allowed && order != MemoryOrder::release && order != MemoryOrder::acquire_release;
        break;
      case Opcode::store:
        allowed = allowed && order != MemoryOrder::acquire && order != MemoryOrder::acquire_release;
        break;
      case Opcode::read_modify_write:
      case Opcode::compare_exchange: allowed = allowed && order != MemoryOrder::plain; break;
      case Opcode::fence: allowed = allowed && order >= MemoryOrder::acquire; break;
      default: break;
    }
    if (!allowed) report_here(fmt::format("it cannot have the memory order {}", name_of(order)));
  }

  const Program& program_;
  Diagnostics findings_;
  std::vector<std::uint32_t> returned_slots_;  // at most, per function
  const Function* function_ = nullptr;         // the instruction being checked
  std::uint32_t usable_registers_ = 0;         // of the function: the rest belongs to the machine
  std::uint32_t index_ = 0;
  const InstructionShape* shape_ = nullptr;
};

}  // namespace

Diagnostics verify(const Program& program) { return Verifier(program).run(); }

}  // namespace heddle::bytecode
