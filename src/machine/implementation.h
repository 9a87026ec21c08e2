// The inside of the machine, shared by the files that implement it.
//
// The basic idea: an instruction with visible effects is written as two halves. `perform` says what it wants next,
// looking only at the state; `advance` moves the state on once that has happened. A visible action parks the thread
// between the two, so running a parked thread just asks again. An access to memory that only this thread can reach
// is answered on the spot, by the same `advance`. Instructions of several actions keep their progress in the state's
// phase and scratch.
//
// interpreter.cpp       the dispatch loop: arithmetic, control, calls
// memory_access.cpp     which memory an address denotes; load, store, read-modify-write, compare-exchange
// stack_objects.cpp     stack and heap allocation, and the release of stack objects
// block_operations.cpp  copying, filling, comparing
// library_calls.cpp     threads, choices, the end of the program
// spinning.cpp          loops that come back to the same state
// synchronization.cpp   mutexes and barriers
// output.cpp, format.*  printf and friends, variadic arguments
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "bytecode/program.h"
#include "machine/action.h"
#include "machine/arithmetic.h"
#include "machine/machine.h"

namespace heddle::machine {

using bytecode::Address;
using bytecode::Function;
using bytecode::Instruction;
using bytecode::LibraryCall;
using bytecode::Opcode;
using bytecode::Operand;

Effect effect_of(const Action& action);  // spinning.cpp

class Machine::Implementation {
 public:
  Implementation(const bytecode::Program& program, MachineOptions options);
  ~Implementation() { pool_->retire(); }
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  ThreadState start(ThreadId thread, std::uint32_t function, std::uint64_t argument, bool c11_thread);
  void run(ThreadState& state, Action& action);
  void advance(ThreadState& state, Value answer);
  void consider_rewriting(ThreadState& state, Action& action);  // spinning.cpp
  std::size_t bytes_in_states() const { return pool_->live_bytes(); }
  bool initial_value(Address address, unsigned size, Value& value) const;

 private:
  Frame* first_frame(std::uint32_t function, std::uint64_t argument);

  // In all of these, true means: the action is filled in and the thread is parked at it. False: the state moved on.

  // interpreter.cpp
  bool perform(ThreadState& state, Action& action);
  Frame* enter(Frame* caller, std::uint32_t function_index, const Instruction& call, std::uint32_t at);
  bool perform_return(ThreadState& state, Action& action);
  void return_to_caller(ThreadState& state);
  bool perform_finish(ThreadState& state, Action& action, std::uint64_t value);

  // spinning.cpp
  bool perform_watch(ThreadState& state, Action& action, const Instruction& instruction);

  // memory_access.cpp
  struct Access {
    Address address = 0;
    unsigned size = 0;
    MemoryOrder order = MemoryOrder::plain;
    AccessKind kind = AccessKind::ordinary;
    bool exclusive = false;
    bool block_operation = false;
  };
  bool read(ThreadState& state, Action& action, const Access& access);
  bool write(ThreadState& state, Action& action, const Access& access, Value value);
  // What came of an attempt to serve an access without an action.
  enum class Served : std::uint8_t { done, failed, visible };
  Served read_here(ThreadState& state, Action& action, const Access& access);
  Served write_here(ThreadState& state, Action& action, const Access& access, Value value);
  bool perform_memory(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_memory(ThreadState& state, const Instruction& instruction, Value answer);
  bool visible_to_others(Address address) const {
    return bytecode::is_shared_object(address) || (bytecode::is_global(address) && !may_be_constant(address));
  }
  bool may_be_constant(Address address) const {
    std::uint64_t page = (address - bytecode::globals_begin) / page_size;
    return page < constant_pages_.size() ? constant_pages_[page] != 0 : beyond_pages_;
  }
  const bytecode::Global* find_global(Address address) const;
  // Bytes of constant or private memory, for strings: false if the byte is elsewhere or nowhere.
  bool byte_here(const ThreadState& state, Address address, std::uint8_t& byte) const;
  std::string string_here(const ThreadState& state, Address address) const;

  // stack_objects.cpp
  bool perform_stack(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_stack(ThreadState& state, const Instruction& instruction);
  bool allocate(ThreadState& state, Action& action, std::uint64_t size, std::uint64_t alignment, ObjectKind kind);
  bool place_shared(const ThreadState& state, std::uint64_t size, std::uint64_t alignment, Address& address) const;
  Address take_shared(ThreadState& state, std::uint64_t size, std::uint64_t alignment);
  bool release_stack_object(ThreadState& state, Action& action);
  bool perform_heap(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_heap(ThreadState& state, const Instruction& instruction, Value answer);
  bool perform_reallocate(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_reallocate(ThreadState& state, const Instruction& instruction, Value answer);
  std::uint64_t reallocate_copy_size(Address old_block, std::uint64_t new_size) const;

  // block_operations.cpp
  struct Block {
    Address to = 0, from = 0;
    std::uint64_t size = 0;
    bool backward = false;
  };
  Block block_of(const ThreadState& state, const Instruction& instruction) const;
  bool perform_block(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_block(ThreadState& state, const Instruction& instruction, Value answer);
  bool copy_here(ThreadState& state, const Block& block);
  unsigned chunk_size(Address first, Address second, std::uint64_t rest, bool backward) const;
  bool perform_compare(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_compare(ThreadState& state, const Instruction& instruction, Value answer);

  // library_calls.cpp
  bool perform_library(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_library(ThreadState& state, const Instruction& instruction, Value answer);
  bool perform_thread_call(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_thread_call(ThreadState& state, const Instruction& instruction, Value answer);
  bool perform_create(ThreadState& state, Action& action, const Instruction& instruction);
  bool perform_choose(ThreadState& state, Action& action, const Instruction& instruction);
  bool perform_thread_exit(ThreadState& state, Action& action, std::uint64_t value);

  // synchronization.cpp
  bool perform_synchronization(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_synchronization(ThreadState& state, const Instruction& instruction, Value answer);
  bool perform_lock(ThreadState& state, Action& action, Address address, bool only_try);
  void advance_lock(ThreadState& state, Address address, bool only_try, std::uint64_t word);
  bool perform_unlock(ThreadState& state, Action& action, Address address);
  bool perform_barrier_wait(ThreadState& state, Action& action, Address address);
  void advance_barrier_wait(ThreadState& state, std::uint64_t word);
  bool perform_add_between(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_add_between(ThreadState& state, const Instruction& instruction, Value answer);
  bool wait_in_vain(const ThreadState& state, Action& action, Address barrier);
  std::uint32_t mutex_kind(Address address, std::uint64_t word) const;

  // output.cpp
  bool perform_output(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_output(ThreadState& state, const Instruction& instruction, Value answer);
  bool perform_print(ThreadState& state, Action& action, const Instruction& instruction);
  bool perform_format(ThreadState& state, Action& action, const Instruction& instruction);
  bool format(ThreadState& state, const Instruction& instruction, bool with_peek);
  bool perform_variadic(ThreadState& state, Action& action, const Instruction& instruction);
  void advance_variadic(ThreadState& state, const Instruction& instruction, Value answer);

  // Small helpers, below.
  static const Instruction& instruction_of(const ThreadState& state) {
    return state.frame_->function->code[state.counter_];
  }
  static std::uint64_t operand(const ThreadState& state, Operand which) {
    return which & bytecode::constant_bit ? state.frame_->function->constants[which & ~bytecode::constant_bit]
                                          : state.frame_->registers()[which];
  }
  static Value operand_value(const ThreadState& state, Operand which, unsigned size) {
    if (size <= 8) return {operand(state, which), 0};
    return {operand(state, which), operand(state, which + 1)};
  }
  static std::uint64_t argument(const ThreadState& state, const Instruction& instruction, std::uint32_t index) {
    return operand(state, state.frame_->function->arguments[instruction.first_argument + index]);
  }
  // Arguments that are literals: written as they are, or as a constant.
  static std::uint64_t literal_argument(const ThreadState& state, const Instruction& instruction, std::uint32_t index) {
    Operand raw = state.frame_->function->arguments[instruction.first_argument + index];
    return raw & bytecode::constant_bit ? operand(state, raw) : raw;
  }
  static Frame* own_frame(ThreadState& state) {
    if (state.frame_->references != 1) {
      Frame* copy = state.frame_->clone();
      --state.frame_->references;
      state.frame_ = copy;
    }
    return state.frame_;
  }
  static PrivateState* own_private(ThreadState& state) {
    if (state.private_->references != 1) {
      PrivateState* copy = state.private_->clone();
      --state.private_->references;
      state.private_ = copy;
    }
    return state.private_;
  }
  // The instruction is over, with this result if it has a place for one.
  static void complete(ThreadState& state, const Instruction& instruction, std::uint64_t result) {
    if (instruction.dst != bytecode::no_operand) own_frame(state)->registers()[instruction.dst] = result;
    complete(state);
  }
  static void complete(ThreadState& state) {
    ++state.counter_;
    state.phase_ = 0;
  }
  static void place(const ThreadState& state, Action& action, ActionKind kind) {
    action = Action{};
    action.kind = kind;
    action.position = {state.frame_->function_index, state.counter_};
  }
  const std::string* keep(std::string text) { return &*texts_.insert(std::move(text)).first; }
  bool error(const ThreadState& state, Action& action, ErrorKind kind, std::string text, Address address = 0,
             unsigned size = 0);
  bool unsupported(const ThreadState& state, Action& action, std::string text);

  static constexpr std::uint64_t page_size = 4096;
  // The phase of a thread that ran into the step limit: it never goes on.
  static constexpr std::uint32_t out_of_steps = 0xffffffff;

  const bytecode::Program& program_;
  MachineOptions options_;
  Pool* pool_ = new Pool;
  std::string text_;  // scratch of formatting calls
  std::unordered_set<std::string> texts_;  // of print, error and unsupported actions: they live as long as we do
  std::vector<std::uint8_t> constant_pages_;  // 1: a constant global has bytes in this page of the global range
  bool unordered_barriers_;  // as the options say, unless the program looks at who came last
  bool beyond_pages_ = false;  // pages after the table may hold constants
};

}  // namespace heddle::machine
