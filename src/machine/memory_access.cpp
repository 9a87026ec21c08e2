// Reads and writes: which memory an address denotes, and the load, store and read-modify-write instructions.
#include <algorithm>
#include <cstring>

#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

bool misaligned(Address address, unsigned size, MemoryOrder order) {
  return order != MemoryOrder::plain && address % size != 0;
}

}  // namespace

const bytecode::Global* Machine::Implementation::find_global(Address address) const {
  auto after = std::upper_bound(program_.globals.begin(), program_.globals.end(), address,
                                [](Address a, const bytecode::Global& global) { return a < global.address; });
  if (after == program_.globals.begin()) return nullptr;
  const bytecode::Global& global = *(after - 1);
  return address - global.address < global.size ? &global : nullptr;
}

bool Machine::Implementation::read(ThreadState& state, Action& action, const Access& access) {
  if (!visible_to_others(access.address)) {
    Served served = read_here(state, action, access);
    if (served != Served::visible) return served == Served::failed;
  }
  if (misaligned(access.address, access.size, access.order))
    return error(state, action, ErrorKind::undefined_behavior, "misaligned atomic access", access.address, access.size);
  place(state, action, ActionKind::read);
  action.access = access.kind;
  action.order = access.order;
  action.exclusive = access.exclusive;
  action.block_operation = access.block_operation;
  action.size = static_cast<std::uint8_t>(access.size);
  action.address = access.address;
  return true;
}

Machine::Implementation::Served Machine::Implementation::read_here(ThreadState& state, Action& action,
                                                                   const Access& access) {
  Address address = access.address;
  if (bytecode::is_private(address)) {
    const PrivateState& memory = *state.private_;
    const PrivateObject* object = memory.find(address, access.size);
    if (!object) {
      bool dead = memory.why_not(address) == ErrorKind::use_after_free;
      error(state, action, memory.why_not(address),
            dead ? "read of a local variable whose function has returned" : "read outside of any object", address,
            access.size);
    } else if (misaligned(address, access.size, access.order)) {
      error(state, action, ErrorKind::undefined_behavior, "misaligned atomic access", address, access.size);
    } else if (!access.block_operation && !memory.initialised(*object, address, access.size)) {
      error(state, action, ErrorKind::uninitialized, "read of memory that was never written", address, access.size);
    } else {
      advance(state, memory.load(*object, address, access.size));
      return Served::done;
    }
  } else if (bytecode::is_global(address)) {
    const bytecode::Global* global = find_global(address);
    if (!global || !global->constant) return Served::visible;
    std::uint64_t offset = address - global->address;
    if (access.size > global->bytes.size() || offset > global->bytes.size() - access.size) {
      error(state, action, ErrorKind::out_of_bounds, "read beyond the end of a constant", address, access.size);
    } else {
      Value value;
      std::memcpy(&value, global->bytes.data() + offset, access.size);
      advance(state, value);
      return Served::done;
    }
  } else if (bytecode::is_null(address)) {
    error(state, action, ErrorKind::null_dereference, "read through a null pointer", address, access.size);
  } else {
    error(state, action, ErrorKind::out_of_bounds, "wild pointer", address, access.size);
  }
  return Served::failed;
}

bool Machine::Implementation::write(ThreadState& state, Action& action, const Access& access, Value value) {
  if (!visible_to_others(access.address)) {
    Served served = write_here(state, action, access, value);
    if (served != Served::visible) return served == Served::failed;
  }
  if (misaligned(access.address, access.size, access.order))
    return error(state, action, ErrorKind::undefined_behavior, "misaligned atomic access", access.address, access.size);
  place(state, action, ActionKind::write);
  action.access = access.kind;
  action.order = access.order;
  action.exclusive = access.exclusive;
  action.block_operation = access.block_operation;
  action.size = static_cast<std::uint8_t>(access.size);
  action.address = access.address;
  action.value = truncate(value, access.size);
  return true;
}

Machine::Implementation::Served Machine::Implementation::write_here(ThreadState& state, Action& action,
                                                                    const Access& access, Value value) {
  Address address = access.address;
  if (bytecode::is_private(address)) {
    const PrivateObject* object = state.private_->find(address, access.size);
    if (!object) {
      bool dead = state.private_->why_not(address) == ErrorKind::use_after_free;
      error(state, action, state.private_->why_not(address),
            dead ? "write to a local variable whose function has returned" : "write outside of any object", address,
            access.size);
    } else if (misaligned(address, access.size, access.order)) {
      error(state, action, ErrorKind::undefined_behavior, "misaligned atomic access", address, access.size);
    } else {
      PrivateState* memory = own_private(state);
      memory->store(*memory->find(address, access.size), address, access.size, value);
      advance(state, Value{});
      return Served::done;
    }
  } else if (bytecode::is_global(address)) {
    const bytecode::Global* global = find_global(address);
    if (!global || !global->constant) return Served::visible;
    error(state, action, ErrorKind::undefined_behavior, "write to constant object", address, access.size);
  } else if (bytecode::is_null(address)) {
    error(state, action, ErrorKind::null_dereference, "write through a null pointer", address, access.size);
  } else {
    error(state, action, ErrorKind::out_of_bounds, "wild pointer", address, access.size);
  }
  return Served::failed;
}

bool Machine::Implementation::perform_memory(ThreadState& state, Action& action, const Instruction& instruction) {
  if (instruction.op == Opcode::fence) {
    place(state, action, ActionKind::fence);
    action.order = instruction.order;
    return true;
  }
  bool compare = instruction.op == Opcode::compare_exchange;
  unsigned size = instruction.bits / 8;
  Access access{operand(state, instruction.a), size, instruction.order,
                compare ? AccessKind::compare_exchange : AccessKind::rmw, true};
  if (state.phase_ == 0) {
    if (!read(state, action, access)) return false;
    if (compare && action.kind == ActionKind::read) {  // an error has its text in the same place
      action.expected = truncate(operand_value(state, instruction.b, size), size);
      action.failure_order = static_cast<MemoryOrder>(instruction.d);
    }
    return true;
  }
  Value value = compare ? operand_value(state, instruction.c, size)
                        : read_modify_write(static_cast<bytecode::RmwOp>(instruction.d), size, state.scratch_,
                                            operand_value(state, instruction.b, size));
  if (!write(state, action, access, value)) return false;
  const auto update = static_cast<bytecode::RmwOp>(instruction.d);
  action.blind = !compare && instruction.dst == bytecode::no_operand &&
                 (update == bytecode::RmwOp::add || update == bytecode::RmwOp::subtract);
  return true;
}

void Machine::Implementation::advance_memory(ThreadState& state, const Instruction& instruction, Value answer) {
  unsigned size = instruction.bits / 8;
  if (instruction.op == Opcode::load) {
    Value value = truncate(answer, size);
    std::uint64_t* registers = own_frame(state)->registers();
    registers[instruction.dst] = value.low;
    if (size > 8) registers[instruction.dst + 1] = value.high;
  } else if (instruction.op == Opcode::read_modify_write || instruction.op == Opcode::compare_exchange) {
    bool compare = instruction.op == Opcode::compare_exchange;
    bool written = state.phase_ == 1;
    if (!written) {
      state.scratch_ = truncate(answer, size);
      if (!compare || state.scratch_ == truncate(operand_value(state, instruction.b, size), size)) {
        state.phase_ = 1;  // the write half comes next
        return;
      }
    }
    if (instruction.dst != bytecode::no_operand) {
      std::uint64_t* registers = own_frame(state)->registers();
      registers[instruction.dst] = state.scratch_.low;
      if (size > 8) registers[instruction.dst + 1] = state.scratch_.high;
      if (compare) registers[instruction.dst + (size > 8 ? 2 : 1)] = written;
    }
  }
  complete(state);
}

bool Machine::Implementation::byte_here(const ThreadState& state, Address address, std::uint8_t& byte) const {
  if (bytecode::is_private(address)) {
    const PrivateObject* object = state.private_->find(address, 1);
    if (!object || !state.private_->initialised(*object, address, 1)) return false;
    byte = *state.private_->bytes(*object, address);
    return true;
  }
  if (!bytecode::is_global(address)) return false;
  const bytecode::Global* global = find_global(address);
  if (!global || !global->constant || address - global->address >= global->bytes.size()) return false;
  byte = global->bytes[address - global->address];
  return true;
}

std::string Machine::Implementation::string_here(const ThreadState& state, Address address) const {
  std::string result;
  std::uint8_t byte = 0;
  while (byte_here(state, address++, byte) && byte != 0) result += static_cast<char>(byte);
  return result;
}

}  // namespace heddle::machine
