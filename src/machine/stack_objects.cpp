// Where objects live: stack objects (private ones cost no action), the heap, and their end.
#include <algorithm>

#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

using bytecode::least_alignment;

std::uint64_t usable_alignment(std::uint64_t alignment) {
  return std::clamp<std::uint64_t>(alignment, least_alignment, bytecode::largest_alignment);
}

std::uint64_t token_of(const PrivateState& memory) {
  return std::uint64_t{memory.object_count()} << 32 | memory.shared_objects.size();
}

// The phases of realloc: the new block, then per element a read and a write, then the old block goes.
enum ReallocatePhase : std::uint32_t { make_block = 0, read_element = 1, write_element = 2, free_block = 3 };
constexpr std::uint32_t element_shift = 2;
constexpr std::uint64_t most_bytes = bytecode::largest_block_operation;

}  // namespace

// The address of the thread's next shared object, if there is room left for it.
bool Machine::Implementation::place_shared(const ThreadState& state, std::uint64_t size, std::uint64_t alignment,
                                           Address& address) const {
  constexpr std::uint64_t range = std::uint64_t{1} << bytecode::shared_bits_per_thread;
  alignment = usable_alignment(alignment);
  std::uint64_t offset = (state.private_->shared_bump + alignment - 1) / alignment * alignment;
  if (offset >= range || size >= range - offset) return false;
  address = bytecode::shared_base(state.private_->thread) + offset;
  return true;
}

Address Machine::Implementation::take_shared(ThreadState& state, std::uint64_t size, std::uint64_t alignment) {
  Address address = 0;
  HEDDLE_CHECK(place_shared(state, size, alignment, address), "an allocation that was announced has room");
  own_private(state)->shared_bump =
      address - bytecode::shared_base(state.private_->thread) + std::max<std::uint64_t>(size, 1) + bytecode::object_gap;
  return address;
}

bool Machine::Implementation::allocate(ThreadState& state, Action& action, std::uint64_t size, std::uint64_t alignment,
                                       ObjectKind kind) {
  Address address = 0;
  if (!place_shared(state, size, alignment, address)) {
    if (kind == ObjectKind::stack)
      return error(state, action, ErrorKind::undefined_behavior, "stack overflow: no room for a local variable");
    complete(state, instruction_of(state), 0);  // as malloc does: no memory, null pointer
    return false;
  }
  place(state, action, ActionKind::allocate);
  action.object = kind;
  action.address = address;
  action.object_size = size;
  action.zeroed = false;
  return true;
}

bool Machine::Implementation::release_stack_object(ThreadState& state, Action& action) {
  place(state, action, ActionKind::release);
  action.object = ObjectKind::stack;
  action.address = state.private_->shared_objects.back();
  return true;
}

bool Machine::Implementation::perform_stack(ThreadState& state, Action& action, const Instruction& instruction) {
  if (instruction.op == Opcode::stack_save) {
    complete(state, instruction, token_of(*state.private_));
    return false;
  }
  if (instruction.op == Opcode::stack_restore) {
    std::uint64_t token = operand(state, instruction.a);
    if (state.private_->shared_objects.size() > (token & mask_of(32))) return release_stack_object(state, action);
    auto objects = static_cast<std::uint32_t>(token >> 32);
    if (state.private_->object_count() > objects) own_private(state)->remove_objects(objects);
    complete(state);
    return false;
  }
  std::uint64_t size = operand(state, instruction.a);
  bool is_private = static_cast<bytecode::StackObjectKind>(instruction.c) == bytecode::StackObjectKind::private_object;
  std::uint64_t used = state.private_->storage_used();
  if (is_private && used < options_.private_memory_limit && size <= options_.private_memory_limit - used) {
    Address address = own_private(state)->add_object(size, usable_alignment(instruction.b));
    complete(state, instruction, address);
    return false;
  }
  if (!allocate(state, action, size, instruction.b, ObjectKind::stack)) return false;
  action.object_info = instruction.d;
  return true;
}

void Machine::Implementation::advance_stack(ThreadState& state, const Instruction& instruction) {
  if (instruction.op == Opcode::stack_restore) {
    own_private(state)->shared_objects.pop_back();
    return;
  }
  Address address = take_shared(state, operand(state, instruction.a), instruction.b);
  state.private_->push_shared_object(address);
  complete(state, instruction, address);
}

bool Machine::Implementation::perform_heap(ThreadState& state, Action& action, const Instruction& instruction) {
  auto call = static_cast<LibraryCall>(instruction.d);
  std::uint64_t first = argument(state, instruction, 0);
  switch (call) {
    case LibraryCall::allocate:
    case LibraryCall::allocate_zeroed:
      if (!allocate(state, action, first, least_alignment, ObjectKind::heap)) return false;
      action.zeroed = call == LibraryCall::allocate_zeroed;
      return true;
    case LibraryCall::allocate_aligned:
      return allocate(state, action, argument(state, instruction, 1), first, ObjectKind::heap);
    case LibraryCall::reallocate: return perform_reallocate(state, action, instruction);
    default: break;
  }
  if (first == 0) {
    complete(state, instruction, 0);
    return false;
  }
  if (!visible_to_others(first) && !bytecode::is_global(first))
    return error(state, action, ErrorKind::invalid_free, "free of memory that is no heap object", first);
  place(state, action, ActionKind::release);
  action.object = ObjectKind::heap;
  action.address = first;
  return true;
}

void Machine::Implementation::advance_heap(ThreadState& state, const Instruction& instruction, Value answer) {
  std::uint64_t first = argument(state, instruction, 0);
  switch (static_cast<LibraryCall>(instruction.d)) {
    case LibraryCall::allocate:
    case LibraryCall::allocate_zeroed: return complete(state, instruction, take_shared(state, first, least_alignment));
    case LibraryCall::allocate_aligned:
      return complete(state, instruction, take_shared(state, argument(state, instruction, 1), first));
    case LibraryCall::reallocate: return advance_reallocate(state, instruction, answer);
    default: return complete(state, instruction, 0);
  }
}

std::uint64_t Machine::Implementation::reallocate_copy_size(Address old_block, std::uint64_t new_size) const {
  if (old_block == 0 || !options_.object_size) return 0;
  return std::min({options_.object_size(old_block), new_size, most_bytes - 1});
}

bool Machine::Implementation::perform_reallocate(ThreadState& state, Action& action, const Instruction& instruction) {
  Address old_block = argument(state, instruction, 0);
  std::uint64_t size = argument(state, instruction, 1);
  std::uint64_t offset = state.phase_ >> element_shift;
  std::uint64_t rest = reallocate_copy_size(old_block, size) - offset;
  Address new_block = state.scratch_.high;
  Access access{.order = MemoryOrder::plain, .block_operation = true};
  switch (state.phase_ & ((1u << element_shift) - 1)) {
    case make_block:
      if (old_block != 0 && !visible_to_others(old_block) && !bytecode::is_global(old_block))
        return error(state, action, ErrorKind::invalid_free, "realloc of memory that is no heap object", old_block);
      if (old_block != 0 && size == 0) {  // as free does, and no block at all
        state.scratch_ = {};
        state.phase_ = free_block;
        return false;
      }
      return allocate(state, action, size, least_alignment, ObjectKind::heap);
    case read_element:
      access.address = old_block + offset;
      access.size = chunk_size(access.address, new_block + offset, rest, false);
      return read(state, action, access);
    case write_element:
      access.address = new_block + offset;
      access.size = chunk_size(access.address, old_block + offset, rest, false);
      return write(state, action, access, {state.scratch_.low, 0});
    default:
      place(state, action, ActionKind::release);
      action.object = ObjectKind::heap;
      action.address = old_block;
      return true;
  }
}

void Machine::Implementation::advance_reallocate(ThreadState& state, const Instruction& instruction, Value answer) {
  Address old_block = argument(state, instruction, 0);
  std::uint64_t size = argument(state, instruction, 1);
  std::uint64_t offset = state.phase_ >> element_shift;
  std::uint64_t copied = reallocate_copy_size(old_block, size);
  switch (state.phase_ & ((1u << element_shift) - 1)) {
    case make_block: {
      Address new_block = take_shared(state, size, least_alignment);
      if (old_block == 0) return complete(state, instruction, new_block);
      state.scratch_.high = new_block;
      state.phase_ = copied == 0 ? free_block : read_element;
      return;
    }
    case read_element:
      state.scratch_.low = answer.low;
      state.phase_ += write_element - read_element;
      return;
    case write_element:
      offset += chunk_size(state.scratch_.high + offset, old_block + offset, copied - offset, false);
      state.phase_ = static_cast<std::uint32_t>(offset) << element_shift |
                     static_cast<std::uint32_t>(offset >= copied ? free_block : read_element);
      return;
    default: return complete(state, instruction, state.scratch_.high);
  }
}

}  // namespace heddle::machine
