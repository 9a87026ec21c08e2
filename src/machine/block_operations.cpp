// Copying, filling and comparing blocks, as sequences of plain accesses; bytes that only this thread can reach are
// copied at once. The phase holds how many bytes are done, shifted left by one, and in its low bit which half of an
// element comes next.
#include <algorithm>
#include <bit>
#include <cstring>

#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

constexpr std::uint64_t most_bytes = bytecode::largest_block_operation;

// Where the element lies that comes after `done` bytes.
std::uint64_t element_offset(std::uint64_t size, std::uint64_t done, unsigned chunk, bool backward) {
  return backward ? size - done - chunk : done;
}

}  // namespace

// How many bytes the next element has: what the program itself uses there, or else what alignment allows.
// Going backward, the addresses are those where the element ends.
unsigned Machine::Implementation::chunk_size(Address first, Address second, std::uint64_t rest, bool backward) const {
  bool first_matters = visible_to_others(first), second_matters = visible_to_others(second);
  if (options_.access_size_hint) {
    for (auto [address, matters] : {std::pair{first, first_matters}, std::pair{second, second_matters}}) {
      if (!matters) continue;
      if (!backward) {
        unsigned hint = options_.access_size_hint(address);
        if (hint > 8) hint = 8;
        while (hint > rest) hint /= 2;
        if (hint != 0) return hint;
      } else {
        for (unsigned size : {8u, 4u, 2u, 1u})
          if (size <= rest && options_.access_size_hint(address - size) == size) return size;
      }
    }
  }
  std::uint64_t bits = (first_matters ? first : 0) | (second_matters ? second : 0) | 8;
  auto aligned = static_cast<unsigned>(bits & (~bits + 1));
  while (aligned > rest) aligned /= 2;
  return aligned;
}

Machine::Implementation::Block Machine::Implementation::block_of(const ThreadState& state,
                                                                 const Instruction& instruction) const {
  Block block;
  block.to = operand(state, instruction.a);
  block.size = instruction.op == Opcode::va_copy ? bytecode::va_list_bytes : operand(state, instruction.c);
  if (instruction.op == Opcode::memory_set) return block;
  block.from = operand(state, instruction.b);
  block.backward = instruction.op == Opcode::memory_move && block.to > block.from && block.to - block.from < block.size;
  return block;
}

// Copies from private or constant memory to private memory, if the whole block is of that kind.
bool Machine::Implementation::copy_here(ThreadState& state, const Block& block) {
  if (!bytecode::is_private(block.to) || !state.private_->find(block.to, block.size)) return false;
  if (bytecode::is_private(block.from)) {
    if (!state.private_->find(block.from, block.size)) return false;
    PrivateState* memory = own_private(state);
    memory->copy(*memory->find(block.to, block.size), block.to, *memory->find(block.from, block.size), block.from,
                 block.size);
    return true;
  }
  const bytecode::Global* global = bytecode::is_global(block.from) ? find_global(block.from) : nullptr;
  if (!global || !global->constant) return false;
  std::uint64_t offset = block.from - global->address;
  if (block.size > global->bytes.size() || offset > global->bytes.size() - block.size) return false;
  PrivateState* memory = own_private(state);
  const PrivateObject* to = memory->find(block.to, block.size);
  for (std::uint64_t i = 0; i < block.size; ++i) memory->store(*to, block.to + i, 1, {global->bytes[offset + i], 0});
  return true;
}

bool Machine::Implementation::perform_block(ThreadState& state, Action& action, const Instruction& instruction) {
  Block block = block_of(state, instruction);
  if (block.size >= most_bytes)
    return unsupported(state, action, "a block operation on more than 512 MiB is not supported");
  bool set = instruction.op == Opcode::memory_set;
  if (block.size == 0 || (state.phase_ == 0 && !set && copy_here(state, block))) {
    complete(state);
    return false;
  }
  if (set && state.phase_ == 0 && bytecode::is_private(block.to) && state.private_->find(block.to, block.size)) {
    PrivateState* memory = own_private(state);
    memory->fill(*memory->find(block.to, block.size), block.to, block.size,
                 static_cast<std::uint8_t>(operand(state, instruction.b)));
    complete(state);
    return false;
  }
  std::uint64_t done = state.phase_ >> 1, rest = block.size - done;
  std::uint64_t edge = block.backward ? rest : done;
  unsigned chunk = chunk_size(block.to + edge, set ? 0 : block.from + edge, rest, block.backward);
  std::uint64_t offset = element_offset(block.size, done, chunk, block.backward);
  Access access{.address = block.to + offset, .size = chunk, .block_operation = true};
  if (set) {
    std::uint64_t byte = operand(state, instruction.b) & 0xff;
    return write(state, action, access, {byte * 0x0101010101010101u, 0});
  }
  if ((state.phase_ & 1) == 0) {
    access.address = block.from + offset;
    return read(state, action, access);
  }
  return write(state, action, access, state.scratch_);
}

void Machine::Implementation::advance_block(ThreadState& state, const Instruction& instruction, Value answer) {
  bool set = instruction.op == Opcode::memory_set;
  if (!set && (state.phase_ & 1) == 0) {
    state.scratch_ = answer;
    state.phase_ |= 1;
    return;
  }
  Block block = block_of(state, instruction);
  std::uint64_t done = state.phase_ >> 1, rest = block.size - done;
  std::uint64_t edge = block.backward ? rest : done;
  done += chunk_size(block.to + edge, set ? 0 : block.from + edge, rest, block.backward);
  state.phase_ = static_cast<std::uint32_t>(done) << 1;
  if (done == block.size) complete(state);
}

// memcmp(a, b, n): both elements are read before they are compared.
bool Machine::Implementation::perform_compare(ThreadState& state, Action& action, const Instruction& instruction) {
  Address first = argument(state, instruction, 0), second = argument(state, instruction, 1);
  std::uint64_t size = argument(state, instruction, 2), done = state.phase_ >> 1;
  if (size >= most_bytes) return unsupported(state, action, "a block operation on more than 512 MiB is not supported");
  if (done == size) {
    complete(state, instruction, 0);
    return false;
  }
  unsigned chunk = chunk_size(first + done, second + done, size - done, false);
  return read(state, action, {.address = ((state.phase_ & 1) == 0 ? first : second) + done, .size = chunk});
}

void Machine::Implementation::advance_compare(ThreadState& state, const Instruction& instruction, Value answer) {
  if ((state.phase_ & 1) == 0) {
    state.scratch_ = answer;
    state.phase_ |= 1;
    return;
  }
  Address first = argument(state, instruction, 0), second = argument(state, instruction, 1);
  std::uint64_t size = argument(state, instruction, 2), done = state.phase_ >> 1;
  unsigned chunk = chunk_size(first + done, second + done, size - done, false);
  int order = std::memcmp(&state.scratch_.low, &answer.low, chunk);
  if (order != 0) return complete(state, instruction, order < 0 ? mask_of(32) : 1);
  state.phase_ = static_cast<std::uint32_t>(done + chunk) << 1;
}

}  // namespace heddle::machine
