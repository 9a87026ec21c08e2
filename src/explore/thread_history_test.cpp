// The tree gives the same nodes for the same answers, runs the machine for new ones, and stays bounded.
#include "explore/thread_history.h"

#include <gtest/gtest.h>

#include "bytecode/builder.h"

namespace heddle::explore {
namespace {

using bytecode::FunctionBuilder;
using bytecode::Operand;
using bytecode::ProgramBuilder;
using machine::ActionKind;

// One thread that reads a global and writes what it read to it.
struct CopyThread {
  explicit CopyThread(bool remember = true, std::uint32_t capacity = 16384) {
    FunctionBuilder f("copy");
    const Operand address = f.constant(bytecode::globals_begin);
    const Operand value = f.load(address, 32, MemoryOrder::relaxed);
    f.store(address, value, 32, MemoryOrder::relaxed);
    f.return_values();
    program.add(f);
    program.global("x", 4);
    machine.emplace(program.program, machine::MachineOptions{});
    history.emplace(*machine, remember, true, capacity);
  }
  HistoryRef at_read() {
    HistoryRef begin = history->start(nullptr, 0, 0, 0, false);
    EXPECT_TRUE(begin->at_begin);
    return history->next(*begin, {});
  }

  ProgramBuilder program;
  std::optional<machine::Machine> machine;
  std::optional<ThreadHistory> history;
};

TEST(ThreadHistory, SameAnswerSameNode) {
  CopyThread thread;
  const HistoryRef read = thread.at_read();
  EXPECT_EQ(read->action.kind, ActionKind::read);
  EXPECT_EQ(read->readiness, Readiness::read);
  const HistoryRef seven = thread.history->next(*read, {7, 0});
  EXPECT_EQ(seven->action.kind, ActionKind::write);
  EXPECT_EQ(seven->action.value.low, 7u);
  EXPECT_EQ(thread.history->next(*read, {7, 0}).get(), seven.get());
  EXPECT_NE(thread.history->next(*read, {8, 0}).get(), seven.get());
  EXPECT_EQ(thread.history->next(*read, {8, 0})->action.value.low, 8u);
}

TEST(ThreadHistory, WithoutMemoryItRunsAgain) {
  CopyThread thread(false);
  const HistoryRef read = thread.at_read();
  const HistoryRef first = thread.history->next(*read, {7, 0});
  const HistoryRef second = thread.history->next(*read, {7, 0});
  EXPECT_NE(first.get(), second.get());
  EXPECT_EQ(first->action.value, second->action.value);
  EXPECT_EQ(thread.history->remembered(), 0u);
}

TEST(ThreadHistory, ForgetsWhatNobodyHoldsWhenItIsFull) {
  CopyThread thread(true, 100);
  const HistoryRef read = thread.at_read();
  const HistoryRef held = thread.history->next(*read, {0, 0});
  for (std::uint64_t value = 1; value < 1000; ++value) {
    const HistoryRef next = thread.history->next(*read, {value, 0});
    EXPECT_EQ(next->action.value.low, value);
    EXPECT_LE(thread.history->remembered(), 100u);
  }
  EXPECT_EQ(held->action.value.low, 0u);
}

TEST(ThreadHistory, ForgetsWhenStatesTakeTooMuchMemory) {
  CopyThread thread;
  ThreadHistory small(*thread.machine, true, true, 16384, 4096);
  const HistoryRef begin = small.start(nullptr, 0, 0, 0, false);
  const HistoryRef read = small.next(*begin, {});
  for (std::uint64_t value = 0; value < 1000; ++value) small.next(*read, {value, 0});
  EXPECT_LT(thread.machine->bytes_in_states(), 8192u);
}

TEST(ThreadHistory, RunsThatAskedTheGraphAreNotRemembered) {
  ProgramBuilder program;
  FunctionBuilder f("grow");
  f.library(bytecode::LibraryCall::reallocate, {f.constant(bytecode::shared_base(1)), f.constant(16)});
  f.return_values();
  program.add(f);
  ThreadHistory* asked = nullptr;
  machine::MachineOptions options;
  options.object_size = [&asked](bytecode::Address) -> std::uint64_t {
    asked->run_was_impure();
    return 8;
  };
  machine::Machine machine(program.program, options);
  ThreadHistory history(machine, true, true);
  asked = &history;
  bool ran_again = false;
  HistoryRef at = history.start(nullptr, 0, 0, 0, false);
  while (!ends(at->action) || at->at_begin) {
    const HistoryRef once = history.next(*at, {});
    ran_again = ran_again || history.next(*at, {}).get() != once.get();
    at = once;
  }
  EXPECT_TRUE(ran_again);
}

}  // namespace
}  // namespace heddle::explore
