// Runs one thread of a program until its next visible action and stops there. Knows nothing about graphs.
//
// A thread's state is a value: copying it is O(1) (frames and private memory are reference-counted and copied on
// write), so the explorer keeps the state that a thread had at every event and goes back by assigning it.
// Nothing is ever re-executed to get back to where a thread was.
//
// The protocol, per thread:   state = machine.start(...);  loop { action = machine.run(state); ...;
//                             machine.supply(state, answer) or machine.proceed(state) }
// States may outlive their machine, but not the program.
// `run` on a thread that is parked at an action returns that same action again, without any effect.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "bytecode/conventions.h"
#include "bytecode/program.h"
#include "machine/action.h"
#include "machine/thread_state.h"

namespace heddle::machine {

struct MachineOptions {
  std::uint64_t step_limit = 10'000'000;      // instructions between two visible actions of one thread
  std::uint32_t loop_bound = 0;               // iterations of a loop that counts them; 0: no bound
  bool unordered_barriers = true;  // waiting at a barrier is meet, arrive, leave, pass; off: accesses of it
  bool watch_loops = true;  // yield `spin` when a loop comes back to the same state without effect
  bool undone_updates = false;  // yield `round` where updates of a loop may have cancelled out
  bool rewriting_has_effect = true;  // off: an update that writes the value it has read changes nothing (spinning.cpp)
  std::uint32_t frame_limit = 10'000;  // call depth
  std::uint64_t private_memory_limit =
      bytecode::private_bytes_per_thread;  // bytes a thread; objects beyond it become shared ones
  bool format_output = false;  // deliver `print` actions (replay); off: output is dropped silently
  // Bytes of shared memory at an address as the output of printf("%s") needs them on replay; may be empty.
  std::function<bool(bytecode::Address, std::uint8_t&)> peek;
  // Bytes of the accesses that the program makes at an address, so that block operations use the same size; 0 if
  // unknown. May be empty. Must not change its answer while a thread is inside a block operation.
  std::function<unsigned(bytecode::Address)> access_size_hint;
  // Bytes of the live heap object that starts at an address, as realloc needs it; 0 if unknown. May be empty.
  std::function<std::uint64_t(bytecode::Address)> object_size;
};

class Machine {
 public:
  Machine(const bytecode::Program& program, MachineOptions options);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  // The state of a thread about to run `function` with one argument (ignored if the function takes none).
  ThreadState start(ThreadId thread, std::uint32_t function, std::uint64_t argument, bool c11_thread);

  // Runs to the next visible action. The state is then parked there.
  Action run(ThreadState& state);
  // The same without a copy: every field of the action that its kind uses is set.
  void run(ThreadState& state, Action& action);

  // Leaves the action the thread is parked at: with the answer it asked for (read: the value; create: the new
  // thread's id; join: the value; choose: the choice), or without one.
  void supply(ThreadState& state, Value answer);
  void proceed(ThreadState& state);

  // Memory that all thread states of this machine take together.
  std::size_t bytes_in_states() const;

  // Contents of a global or a shared thread-local before anything ran. False if the address is neither.
  // Thread-locals of any thread have the same contents then.
  bool initial_value(bytecode::Address address, unsigned size, Value& value) const;

 private:
  class Implementation;
  Implementation* implementation_;
};

}  // namespace heddle::machine
