// printf and friends, and the variadic arguments they take. The program's output is an action only on replay; what
// printf returns is computed without looking at shared memory, so that replay and exploration agree on it.
#include <algorithm>

#include "base/check.h"
#include "machine/format.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

using bytecode::all_float_registers_used;
using bytecode::all_general_registers_used;
using bytecode::longest_text;
using bytecode::va_list_fields;
using bytecode::VaListField;

bool takes_va_list(LibraryCall call) {
  return call == LibraryCall::format_to_buffer_va || call == LibraryCall::print_va;
}

// Which argument is the format; the variadic arguments or the va_list come right after it.
std::uint32_t format_argument(LibraryCall call) {
  switch (call) {
    case LibraryCall::print: return 1;
    case LibraryCall::print_va: return 0;
    default: return 2;
  }
}

// The phases of formatting: first the place of the variadic arguments is looked up, then come the bytes of the result.
constexpr std::uint32_t arguments_known = 1;

}  // namespace

bool Machine::Implementation::perform_output(ThreadState& state, Action& action, const Instruction& instruction) {
  auto call = static_cast<LibraryCall>(instruction.d);
  if (takes_va_list(call) && state.phase_ == 0) {
    Address list = argument(state, instruction, format_argument(call) + 1);
    return read(state, action, {.address = list + bytecode::va_overflow_area_offset, .size = 8});
  }
  if (call == LibraryCall::format_to_buffer || call == LibraryCall::format_to_buffer_va)
    return perform_format(state, action, instruction);
  return perform_print(state, action, instruction);
}

void Machine::Implementation::advance_output(ThreadState& state, const Instruction& instruction, Value answer) {
  auto call = static_cast<LibraryCall>(instruction.d);
  if (takes_va_list(call) && state.phase_ == 0) {
    state.scratch_ = {answer.low, 0};
    state.phase_ = arguments_known;
    return;
  }
  if (call == LibraryCall::format_to_buffer || call == LibraryCall::format_to_buffer_va) {
    state.phase_ = std::max(state.phase_, arguments_known) + 1;
    return;
  }
  complete(state, instruction, state.scratch_.high);
}

// Puts the text of a formatting call into text_; false if it needs memory that cannot be looked at.
bool Machine::Implementation::format(ThreadState& state, const Instruction& instruction, bool with_peek) {
  auto call = static_cast<LibraryCall>(instruction.d);
  std::uint32_t next = format_argument(call) + 1;
  Address area = state.scratch_.low;
  FormatInput input;
  input.format = argument(state, instruction, next - 1);
  const std::uint32_t first = next;
  input.next_argument = [&](Value& value, bool two_slots) {
    const std::uint32_t slots = two_slots ? 2 : 1;
    if (!takes_va_list(call)) {
      next += (next - first) % slots;
      if (next + slots > instruction.argument_count) return false;
      value.low = argument(state, instruction, next++);
      if (two_slots) value.high = argument(state, instruction, next++);
      return true;
    }
    const unsigned size = slots * 8;
    area = (area + size - 1) / size * size;
    const PrivateObject* object = bytecode::is_private(area) ? state.private_->find(area, size) : nullptr;
    if (!object) return false;
    value = state.private_->load(*object, area, size);
    area += size;
    return true;
  };
  input.byte_at = [&](Address address, std::uint8_t& byte) {
    return byte_here(state, address, byte) || (with_peek && options_.peek && options_.peek(address, byte));
  };
  text_.clear();
  return format_text(input, text_);
}

bool Machine::Implementation::perform_print(ThreadState& state, Action& action, const Instruction& instruction) {
  auto call = static_cast<LibraryCall>(instruction.d);
  std::uint64_t result = 1;
  if (call == LibraryCall::put_character) {
    result = argument(state, instruction, 0) & 0xff;
    text_.assign(1, static_cast<char>(result));
  } else if (call == LibraryCall::put_string) {
    if (options_.format_output) {
      text_.clear();
      std::uint8_t byte = 0;
      Address address = argument(state, instruction, 0);
      for (; text_.size() < longest_text; ++address) {
        if (!byte_here(state, address, byte) && !(options_.peek && options_.peek(address, byte))) {
          text_ += '?';
          break;
        }
        if (byte == 0) break;
        text_ += static_cast<char>(byte);
      }
      if (literal_argument(state, instruction, 1) != 0) text_ += '\n';
    }
  } else if (options_.format_output || instruction.dst != bytecode::no_operand) {
    bool complete_text = format(state, instruction, false);
    result = text_.size();
    if (!complete_text && options_.format_output && options_.peek) format(state, instruction, true);
  }
  if (!options_.format_output) {
    complete(state, instruction, result);
    return false;
  }
  state.scratch_.high = result;
  place(state, action, ActionKind::print);
  action.text = keep(text_);
  return true;
}

bool Machine::Implementation::perform_format(ThreadState& state, Action& action, const Instruction& instruction) {
  if (!format(state, instruction, false))
    return unsupported(state, action, "snprintf: a string that other threads can reach is not supported");
  Address buffer = argument(state, instruction, 0);
  std::uint64_t room = argument(state, instruction, 1);
  std::uint64_t written = room == 0 ? 0 : std::min<std::uint64_t>(room - 1, text_.size()) + 1;
  std::uint32_t index = std::max(state.phase_, arguments_known) - arguments_known;
  if (index == written) {
    complete(state, instruction, text_.size());
    return false;
  }
  std::uint64_t byte = index + 1 == written ? 0 : static_cast<std::uint8_t>(text_[index]);
  return write(state, action, {.address = buffer + index, .size = 1}, {byte, 0});
}

bool Machine::Implementation::perform_variadic(ThreadState& state, Action& action, const Instruction& instruction) {
  if (state.phase_ == 0) {
    const Frame& frame = *state.frame_;
    std::uint32_t count = frame.variadic_slots();
    PrivateState* memory = own_private(state);
    Address area = memory->add_object(count * 8, 16);
    const std::uint64_t* arguments = frame.registers() + frame.function->register_count;
    for (std::uint32_t i = 0; i < count; ++i)
      memory->store(*memory->find(area + i * 8, 8), area + i * 8, 8, {arguments[i], 0});
    state.scratch_ = {area, 0};
    state.phase_ = 1;
  }
  const VaListField& field = va_list_fields[state.phase_ - 1];
  const std::uint64_t values[] = {all_general_registers_used, all_float_registers_used, state.scratch_.low, 0};
  return write(state, action, {.address = operand(state, instruction.a) + field.offset, .size = field.size},
               {values[state.phase_ - 1], 0});
}

void Machine::Implementation::advance_variadic(ThreadState& state, const Instruction&, Value) {
  if (++state.phase_ > std::size(va_list_fields)) complete(state);
}

}  // namespace heddle::machine
