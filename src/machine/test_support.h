// What the tests of the machine share: one thread, run to its next action.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "bytecode/builder.h"
#include "machine/machine.h"

namespace heddle::machine::testing {

using namespace bytecode;

// A program with one thread that runs function 0.
class OneThread {
 public:
  explicit OneThread(ProgramBuilder builder, MachineOptions options = {}, std::uint64_t argument = 0)
      : program_(std::move(builder.program)),
        machine_(program_, std::move(options)),
        state(machine_.start(0, 0, argument, false)) {}

  Action run() { return machine_.run(state); }
  Action supply(Value value) {
    machine_.supply(state, value);
    return run();
  }
  Action supply(std::uint64_t value) { return supply(Value{value, 0}); }
  Action proceed() {
    machine_.proceed(state);
    return run();
  }
  Machine& machine() { return machine_; }

 private:
  Program program_;
  Machine machine_;

 public:
  ThreadState state;
};

// What function 0 returns when it takes no visible action.
inline std::uint64_t result_of(ProgramBuilder builder, MachineOptions options = {}) {
  OneThread thread(std::move(builder), std::move(options));
  Action action = thread.run();
  return action.kind == ActionKind::finish ? action.value.low : 0xdeadbeefdeadbeef;
}

}  // namespace heddle::machine::testing
