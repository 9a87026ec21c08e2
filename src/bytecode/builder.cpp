#include "bytecode/builder.h"

#include <utility>

#include "base/check.h"

namespace heddle::bytecode {

namespace {

constexpr std::uint32_t unbound = 0xffffffff;

}  // namespace

FunctionBuilder::FunctionBuilder(std::string name, std::uint32_t parameter_slots, bool variadic) {
  function_.name = std::move(name);
  function_.parameter_slots = function_.register_count = parameter_slots;
  function_.variadic = variadic;
}

Operand FunctionBuilder::constant(std::uint64_t low) {
  function_.constants.push_back(low);
  return constant_bit | static_cast<Operand>(function_.constants.size() - 1);
}

Operand FunctionBuilder::wide_constant(std::uint64_t low, std::uint64_t high) {
  Operand first = constant(low);
  constant(high);
  return first;
}

Operand FunctionBuilder::new_registers(std::uint32_t slots) {
  return std::exchange(function_.register_count, function_.register_count + slots);
}

std::uint32_t FunctionBuilder::new_loop(std::vector<std::uint32_t> live) {
  function_.loops.push_back({.live = std::move(live)});
  return static_cast<std::uint32_t>(function_.loops.size() - 1);
}

FunctionBuilder::Label FunctionBuilder::new_label() {
  labels_.push_back(unbound);
  return static_cast<Label>(labels_.size() - 1);
}

void FunctionBuilder::bind(Label label) { labels_[label] = static_cast<std::uint32_t>(function_.code.size()); }

std::uint32_t FunctionBuilder::emit(Instruction instruction) {
  function_.code.push_back(instruction);
  function_.positions.push_back({});
  return static_cast<std::uint32_t>(function_.code.size() - 1);
}

std::uint32_t FunctionBuilder::emit(Instruction instruction, const std::vector<Operand>& arguments) {
  instruction.first_argument = static_cast<std::uint32_t>(function_.arguments.size());
  instruction.argument_count = static_cast<std::uint32_t>(arguments.size());
  function_.arguments.insert(function_.arguments.end(), arguments.begin(), arguments.end());
  return emit(instruction);
}

Operand FunctionBuilder::binary(Opcode op, Operand a, Operand b, unsigned bits) {
  Operand result = new_registers(bits > 64 ? 2 : 1);
  emit({.op = op, .bits = static_cast<std::uint8_t>(bits), .dst = result, .a = a, .b = b});
  return result;
}

void FunctionBuilder::move(Operand to, Operand from, unsigned bits) {
  emit({.op = Opcode::move, .bits = static_cast<std::uint8_t>(bits), .dst = to, .a = from});
}

void FunctionBuilder::jump(Label target) { emit({.op = Opcode::jump, .a = target}); }

void FunctionBuilder::branch(Operand condition, Label if_true, Label if_false) {
  emit({.op = Opcode::branch, .a = condition, .b = if_true, .c = if_false});
}

void FunctionBuilder::switch_on(Operand value, unsigned bits, std::vector<SwitchTable::Case> cases_to_labels,
                                Label default_label) {
  function_.switches.push_back({std::move(cases_to_labels), default_label});
  emit({.op = Opcode::switch_on,
        .bits = static_cast<std::uint8_t>(bits),
        .a = value,
        .b = static_cast<Operand>(function_.switches.size() - 1)});
}

Operand FunctionBuilder::call(std::uint32_t function, const std::vector<Operand>& arguments,
                              std::uint32_t result_slots) {
  Operand result = result_slots == 0 ? no_operand : new_registers(result_slots);
  emit({.op = Opcode::call, .dst = result, .b = function}, arguments);
  return result;
}

Operand FunctionBuilder::call_indirect(Operand address, const std::vector<Operand>& arguments,
                                       std::uint32_t result_slots) {
  Operand result = result_slots == 0 ? no_operand : new_registers(result_slots);
  emit({.op = Opcode::call_indirect, .dst = result, .a = address}, arguments);
  return result;
}

void FunctionBuilder::return_values(const std::vector<Operand>& values) { emit({.op = Opcode::return_values}, values); }

Operand FunctionBuilder::load(Operand address, unsigned bits, MemoryOrder order) {
  Operand result = new_registers(bits > 64 ? 2 : 1);
  emit({.op = Opcode::load, .bits = static_cast<std::uint8_t>(bits), .order = order, .dst = result, .a = address});
  return result;
}

void FunctionBuilder::store(Operand address, Operand value, unsigned bits, MemoryOrder order) {
  emit({.op = Opcode::store, .bits = static_cast<std::uint8_t>(bits), .order = order, .a = address, .b = value});
}

Operand FunctionBuilder::read_modify_write(RmwOp op, Operand address, Operand value, unsigned bits, MemoryOrder order) {
  Operand result = new_registers(bits > 64 ? 2 : 1);
  emit({.op = Opcode::read_modify_write,
        .bits = static_cast<std::uint8_t>(bits),
        .order = order,
        .dst = result,
        .a = address,
        .b = value,
        .d = static_cast<std::uint32_t>(op)});
  return result;
}

Operand FunctionBuilder::compare_exchange(Operand address, Operand expected, Operand desired, unsigned bits,
                                          MemoryOrder success, MemoryOrder failure) {
  Operand result = new_registers(bits > 64 ? 3 : 2);
  emit({.op = Opcode::compare_exchange,
        .bits = static_cast<std::uint8_t>(bits),
        .order = success,
        .dst = result,
        .a = address,
        .b = expected,
        .c = desired,
        .d = static_cast<std::uint32_t>(failure)});
  return result;
}

void FunctionBuilder::fence(MemoryOrder order) { emit({.op = Opcode::fence, .order = order}); }

Operand FunctionBuilder::stack_object(std::uint64_t size, StackObjectKind kind, std::uint32_t alignment) {
  Operand result = new_registers();
  emit({.op = Opcode::stack_object,
        .dst = result,
        .a = constant(size),
        .b = alignment,
        .c = static_cast<std::uint32_t>(kind)});
  return result;
}

Operand FunctionBuilder::library(LibraryCall call, const std::vector<Operand>& arguments) {
  Operand result = new_registers();
  emit({.op = Opcode::library, .dst = result, .d = static_cast<std::uint32_t>(call)}, arguments);
  return result;
}

Function FunctionBuilder::finish() {
  auto place_of = [&](Label label) {
    HEDDLE_CHECK(label < labels_.size() && labels_[label] != unbound, "every label that is used is bound");
    return labels_[label];
  };
  for (Instruction& instruction : function_.code) {
    if (instruction.op == Opcode::jump) instruction.a = place_of(instruction.a);
    if (instruction.op == Opcode::branch) {
      instruction.b = place_of(instruction.b);
      instruction.c = place_of(instruction.c);
    }
  }
  for (SwitchTable& table : function_.switches) {
    for (SwitchTable::Case& one : table.cases) one.target = place_of(one.target);
    table.default_target = place_of(table.default_target);
  }
  labels_.clear();
  reserve_snapshots(function_);
  return std::exchange(function_, {});
}

ProgramBuilder::ProgramBuilder() {
  program.objects_of_code.push_back({});
  program.types.push_back({});
  program.files.push_back("");
}

Address ProgramBuilder::global(std::string name, std::uint64_t size, std::vector<std::uint8_t> bytes, bool constant) {
  Global global;
  global.info.name = std::move(name);
  const Global* last = program.globals.empty() ? nullptr : &program.globals.back();
  Address end = last ? last->address + last->size + object_gap : globals_begin;
  global.address = (end + object_gap - 1) / object_gap * object_gap;
  global.size = size;
  global.constant = constant;
  bytes.resize(size);
  global.bytes = std::move(bytes);
  program.globals.push_back(std::move(global));
  return program.globals.back().address;
}

Address ProgramBuilder::constant_text(std::string_view text) {
  return global("", text.size() + 1, {text.begin(), text.end()}, true);
}

std::uint32_t ProgramBuilder::add(FunctionBuilder& function) {
  program.functions.push_back(function.finish());
  return static_cast<std::uint32_t>(program.functions.size() - 1);
}

}  // namespace heddle::bytecode
