#include "bytecode/print_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "bytecode/instruction_shape.h"

namespace heddle::bytecode {

namespace {

constexpr std::size_t most_bytes_shown = 64;

std::string number(std::uint64_t value) {
  return value < 65536 ? fmt::format("#{}", value) : fmt::format("#{:#x}", value);
}

std::string operand_text(const Function& function, Operand operand, bool wide) {
  if (operand == no_operand) return "-";
  if ((operand & constant_bit) == 0) return fmt::format("r{}", operand);
  std::uint32_t index = operand & ~constant_bit;
  if (index >= function.constants.size()) return fmt::format("constant {}?", index);
  std::string text = number(function.constants[index]);
  if (wide && index + 1 < function.constants.size()) text += ":" + number(function.constants[index + 1]);
  return text;
}

std::string function_name(const Program& program, std::uint32_t index) {
  return index < program.functions.size() ? program.functions[index].name : fmt::format("function {}?", index);
}

// A field as text; empty if it says nothing.
std::string field_text(const Program& program, const Function& function, const Instruction& instruction, FieldUse use,
                       std::uint32_t value) {
  switch (use) {
    case FieldUse::none:
    case FieldUse::library_call: return "";
    case FieldUse::slot: return operand_text(function, value, false);
    case FieldUse::value: return operand_text(function, value, instruction.bits > 64);
    case FieldUse::optional_value:
      return value == no_operand ? "" : operand_text(function, value, instruction.bits > 64);
    case FieldUse::width: return fmt::format("to {}", value);
    case FieldUse::target: return fmt::format("-> {}", value);
    case FieldUse::function: return function_name(program, value);
    case FieldUse::optional_number:
      if (value == no_operand) return "";
      [[fallthrough]];
    case FieldUse::number: return fmt::format("{}", value);
    case FieldUse::loop: {
      std::string text = fmt::format("loop {}:", value);
      if (value >= function.loops.size()) return text + " ?";
      for (const std::uint32_t live : function.loops[value].live) text += fmt::format(" r{}", live);
      return text;
    }
    case FieldUse::optional_text:
      if (value == no_operand) return "";
      [[fallthrough]];
    case FieldUse::text: return value < program.texts.size() ? "\"" + program.texts[value] + "\"" : "?";
    case FieldUse::object: return value < program.objects_of_code.size() ? program.objects_of_code[value].name : "";
    case FieldUse::switch_table: {
      if (value >= function.switches.size()) return "?";
      std::string text;
      for (const SwitchTable::Case& one : function.switches[value].cases)
        text += fmt::format("{} -> {}, ", number(one.value), one.target);
      return text + fmt::format("else -> {}", function.switches[value].default_target);
    }
    default: return literal_name(use, value);
  }
}

std::string arguments_text(const Function& function, const Instruction& instruction) {
  std::string text;
  for (std::uint32_t i = 0; i < instruction.argument_count; ++i) {
    std::uint64_t index = std::uint64_t{instruction.first_argument} + i;
    text += i == 0 ? "" : ", ";
    text += index < function.arguments.size() ? operand_text(function, function.arguments[index], false) : "?";
  }
  return text;
}

std::string bytes_text(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (std::size_t i = 0; i < std::min(bytes.size(), most_bytes_shown); ++i) text += fmt::format(" {:02x}", bytes[i]);
  return bytes.size() > most_bytes_shown ? text + " ..." : text;
}

void print_function(const Program& program, std::size_t index, std::string& output) {
  const Function& function = program.functions[index];
  auto out = std::back_inserter(output);
  fmt::format_to(out, "function {} {}: {} registers, {} parameters{}{}\n", index, function.name,
                 function.register_count, function.parameter_slots, function.variadic ? ", variadic" : "",
                 index == program.entry ? ", entry" : "");
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    std::string text = print(program, function, function.code[i]);
    fmt::format_to(out, "{:5}  {}", i, text);
    if (i < function.positions.size() && function.positions[i].line != 0) {
      const SourcePosition& position = function.positions[i];
      fmt::format_to(out, "{:{}}; {}:{}:{}", "", text.size() < 48 ? 48 - text.size() : 2,
                     position.file < program.files.size() ? program.files[position.file] : "?", position.line,
                     position.column);
    }
    output += '\n';
  }
}

}  // namespace

std::string print(const Program& program, const Function& function, const Instruction& instruction) {
  if (static_cast<std::uint32_t>(instruction.op) >= opcode_count)
    return fmt::format("unknown opcode {}", static_cast<std::uint32_t>(instruction.op));
  const InstructionShape& shape = shape_of(instruction.op);
  std::string text;
  if (shape.result != ResultUse::none && instruction.dst != no_operand) text = fmt::format("r{} = ", instruction.dst);
  bool library = instruction.op == Opcode::library;
  text += library ? literal_name(FieldUse::library_call, instruction.d) : shape.name;
  if (shape.width != WidthUse::none) text += fmt::format(".{}", instruction.bits);
  if (shape.width == WidthUse::access || instruction.op == Opcode::fence)
    text += fmt::format(" {}", name_of(instruction.order));
  if (instruction.op == Opcode::move && instruction.d == thread_shared_base) text += " thread_shared_base +";
  const std::pair<FieldUse, std::uint32_t> fields[] = {
      {shape.a, instruction.a}, {shape.b, instruction.b}, {shape.c, instruction.c}, {shape.d, instruction.d}};
  const char* separator = " ";
  for (const auto& [use, value] : fields) {
    std::string field = field_text(program, function, instruction, use, value);
    if (field.empty()) continue;
    text += separator + field;
    separator = ", ";
  }
  if (shape.has_arguments) text += fmt::format("({})", arguments_text(function, instruction));
  return text;
}

std::string print(const Program& program) {
  std::string output;
  auto out = std::back_inserter(output);
  for (std::size_t i = 0; i < program.functions.size(); ++i) print_function(program, i, output);
  for (const Global& global : program.globals)
    fmt::format_to(out, "{} {} at {:#x}, {} bytes:{}\n", global.constant ? "constant" : "global",
                   global.info.name.empty() ? "(unnamed)" : global.info.name, global.address, global.size,
                   bytes_text(global.bytes));
  for (const ThreadLocal& local : program.thread_locals)
    fmt::format_to(out, "{} thread-local {} at +{}, {} bytes:{}\n", local.shared ? "shared" : "private",
                   local.info.name, local.offset, local.size, bytes_text(local.bytes));
  return output;
}

}  // namespace heddle::bytecode
