// The second interpreter: runs one thread of a program, once and from its beginning, up to its next step, and goes on
// when it is given the answer. Written from bytecode/instruction.h and bytecode/conventions.h; nothing is shared with
// the machine, and nothing is ever taken back. Slow and plain on purpose: it only runs when there is an error to
// confirm.
//
// thread_run.cpp     the loop: arithmetic, control, calls, the end of the thread
// memory_steps.cpp   accesses, objects, blocks
// library_steps.cpp  threads, mutexes, barriers, choices, output
// Tested in thread_run_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bytecode/program.h"
#include "validate/arithmetic.h"
#include "validate/private_memory.h"
#include "validate/step.h"
#include "validate/task.h"

namespace heddle::validate {

struct RunSettings {
  std::uint32_t loop_bound = 0;                    // 0: none
  bool unordered_barriers = true;                  // unless the program looks at the order of arrivals
  bool output_is_visible = false;                  // printing is a step
  std::uint64_t most_instructions = 1'000'000'000; // between two steps
  std::uint32_t most_frames = 10'000;
};

// What a thread cannot know by itself and the conventions leave free.
class Surroundings {
 public:
  virtual ~Surroundings() = default;
  // How many bytes of a block the thread moves next, if that begins (or `ends`) at one of these addresses; 0: anything.
  virtual unsigned next_element(std::uint32_t thread, bytecode::Address one, bytecode::Address other, bool ends) = 0;
  // Bytes of the heap object that begins there; 0 if there is none.
  virtual std::uint64_t object_size(bytecode::Address address) = 0;
};

// The value that memory has before the program runs; false if the address is of no global and no shared thread-local.
bool initial_contents(const bytecode::Program& program, bytecode::Address address, unsigned size, Value& value);
// The global that has this byte, or null.
const bytecode::Global* global_at(const bytecode::Program& program, bytecode::Address address);

class ThreadRun {
 public:
  ThreadRun(const bytecode::Program& program, const RunSettings& settings, Surroundings& surroundings,
            std::uint32_t thread, std::uint32_t function, std::uint64_t argument, bool c11_thread);
  ThreadRun(const ThreadRun&) = delete;
  ThreadRun& operator=(const ThreadRun&) = delete;

  struct Frame {
    std::uint32_t function = 0;
    std::vector<std::uint64_t> registers;
    std::vector<std::uint64_t> variadic;  // arguments beyond the parameters
    std::uint32_t counter = 0;
    std::size_t private_objects = 0;  // how many there were when the call began
    std::size_t shared_objects = 0;

    friend bool operator==(const Frame&, const Frame&) = default;
  };
  // Everything that determines what the thread does next, given its answers.
  struct State {
    std::vector<Frame> frames;
    PrivateMemory memory;
    std::vector<bytecode::Address> held_mutexes;

    bytecode::CodePosition position() const { return {frames.back().function, frames.back().counter}; }
    friend bool operator==(const State&, const State&) = default;
  };
  State state() const;
  // From now on the thread stops at the heads of loops (Opcode::watch_loop), and bounds on loops do not count.
  void stop_at_loops() { stops_at_loops_ = true; }

  // Where the thread is; runs it there first if need be.
  const Step& step();
  // The step has happened; of those without an answer the value does not matter.
  void answer(Value value);

 private:
  struct HeldMutex {
    bytecode::Address address = 0;
    std::uint32_t depth = 0;
    std::uint32_t kind = 0;
    std::uint64_t word = 0;  // as it was when free
  };
  struct Access {
    bytecode::Address address = 0;
    unsigned size = 0;
    MemoryOrder order = MemoryOrder::plain;
    bytecode::AccessKind kind = bytecode::AccessKind::ordinary;
    bool exclusive = false;
    bool of_block = false;
  };
  using Instruction = bytecode::Instruction;

  // Awaited when `step_` is set: the thread stops until it is answered.
  struct Stop {
    ThreadRun& run;
    bool await_ready() const noexcept { return false; }
    void await_suspend(std::coroutine_handle<>) const noexcept { run.stopped_ = true; }
    Value await_resume() const noexcept { return run.answer_; }
  };

  // thread_run.cpp
  Task<> run();
  Task<> execute(const Instruction& at);
  bool calculate(const Instruction& at);  // false if it is an error, which is then in step_
  bool jump(const Instruction& at);  // false if `at` is no jump
  Task<> enter(std::uint32_t function, const Instruction& call);
  Task<> call_indirect(const Instruction& at);
  Task<> return_values(const Instruction& at);
  Task<> finish(std::uint64_t value);
  Task<> release_stack_objects(std::size_t kept);
  void push_frame(std::uint32_t function, std::vector<std::uint64_t> arguments);
  Step& prepare(Step::Kind kind);
  Stop fail(bytecode::ErrorKind kind, bytecode::Address address = 0, unsigned size = 0);
  Stop give_up(std::string why);

  // memory_steps.cpp
  enum class Reach : std::uint8_t { done, failed, visible };
  bool is_visible(bytecode::Address address) const;
  bool is_constant(bytecode::Address address, std::uint64_t size) const;
  Reach read_here(const Access& access, Value& value);
  Reach write_here(const Access& access, Value value);
  Task<Value> read(Access access);
  Task<> write(Access access, Value value);
  void prepare_access(Step::Kind kind, const Access& access);
  Task<> memory_instruction(const Instruction& at);
  Task<> stack_object(const Instruction& at);
  Task<bytecode::Address> allocate(std::uint64_t size, std::uint64_t alignment, bytecode::ObjectKind kind, bool zeroed,
                                   std::uint32_t info);
  Task<> free_object(bytecode::Address address);
  Task<> reallocate(const Instruction& at);
  unsigned element_size(bytecode::Address one, bytecode::Address other, std::uint64_t rest, bool ends);
  Task<> copy_block(bytecode::Address to, bytecode::Address from, std::uint64_t size, bool may_overlap);
  Task<> fill_block(bytecode::Address to, std::uint8_t byte, std::uint64_t size);
  Task<> compare_blocks(const Instruction& at);
  Task<> start_variadic(const Instruction& at);

  // library_steps.cpp
  Task<> library(const Instruction& at);
  Task<> thread_call(const Instruction& at);
  Task<> create_thread(const Instruction& at);
  Task<> lock(const Instruction& at, bool only_try);
  Task<> unlock(const Instruction& at);
  Task<> add_between(const Instruction& at);
  Task<> wait_at_barrier(const Instruction& at);
  Task<> meet_at_barrier(const Instruction& at);
  bool order_of_arrivals_matters() const;
  Task<> choose(const Instruction& at);
  Task<> output(const Instruction& at);
  std::string format_text(const Instruction& at, std::uint32_t format, bytecode::Address area, bool& readable) const;
  bool readable_byte(bytecode::Address address, std::uint8_t& byte) const;
  std::uint32_t mutex_kind(bytecode::Address address, std::uint64_t word) const;
  HeldMutex* held(bytecode::Address address);

  // Operands.
  const bytecode::Function& function() const { return program_.functions[frames_.back().function]; }
  std::uint64_t slot(bytecode::Operand operand) const;
  Bits operand(bytecode::Operand operand, unsigned bits) const;
  std::uint64_t argument(const Instruction& at, std::uint32_t index) const;
  std::uint64_t literal_argument(const Instruction& at, std::uint32_t index) const;
  void set(std::uint32_t place, std::uint64_t value) { frames_.back().registers.at(place) = value; }
  void set_wide(std::uint32_t place, unsigned bits, Bits value);
  void set_result(const Instruction& at, std::uint64_t value) {
    if (at.dst != bytecode::no_operand) set(at.dst, value);
  }

  const bytecode::Program& program_;
  const RunSettings settings_;
  Surroundings& surroundings_;
  const std::uint32_t thread_;
  const bool c11_thread_;

  std::vector<Frame> frames_;
  PrivateMemory memory_;
  std::uint64_t shared_mark_;  // from shared_base(thread)
  std::vector<bytecode::Address> shared_stack_objects_;  // alive, oldest first
  std::vector<HeldMutex> held_;

  Step step_;
  Value answer_;
  bool stopped_ = false;
  bool stops_at_loops_ = false;
  std::uint64_t instructions_ = 0;
  Stack stack_;
  Task<> task_;  // declared last: it refers to the rest
};

}  // namespace heddle::validate
