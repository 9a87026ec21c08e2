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
    history.emplace(*machine, ThreadHistory::Policy{.remember = remember}, capacity);
  }
  HistoryNode* at_read() {
    HistoryNode* begin = history->start(nullptr, 0, 0, 0, false);
    EXPECT_TRUE(begin->at_begin);
    return history->next(*begin, {});
  }

  ProgramBuilder program;
  std::optional<machine::Machine> machine;
  std::optional<ThreadHistory> history;
};

TEST(ThreadHistory, SameAnswerSameNode) {
  CopyThread thread;
  HistoryNode* const read = thread.at_read();
  EXPECT_EQ(read->action.kind, ActionKind::read);
  EXPECT_EQ(read->readiness, Readiness::read);
  HistoryNode* const seven = thread.history->next(*read, {7, 0});
  EXPECT_EQ(seven->action.kind, ActionKind::write);
  EXPECT_EQ(seven->action.value.low, 7u);
  EXPECT_EQ(thread.history->next(*read, {7, 0}), seven);
  EXPECT_NE(thread.history->next(*read, {8, 0}), seven);
  EXPECT_EQ(thread.history->next(*read, {8, 0})->action.value.low, 8u);
}

TEST(ThreadHistory, WithoutMemoryItRunsAgain) {
  CopyThread thread(false);
  HistoryNode* const read = thread.at_read();
  HistoryNode* const first = thread.history->next(*read, {7, 0});
  HistoryNode* const second = thread.history->next(*read, {7, 0});
  EXPECT_NE(first, second);
  EXPECT_EQ(first->action.value, second->action.value);
}

TEST(ThreadHistory, ForgetsWhatNobodyRefersToWhenItIsFull) {
  CopyThread thread(true, 100);
  HistoryNode* const read = thread.at_read();
  HistoryNode* const held = thread.history->next(*read, {0, 0});
  unsigned collections = 0;
  for (std::uint64_t value = 1; value < 1000; ++value) {
    EXPECT_EQ(thread.history->next(*read, {value, 0})->action.value.low, value);
    if (!thread.history->full()) continue;
    thread.history->collect({read, held, held});
    EXPECT_EQ(thread.history->size(), 2u);
    ++collections;
  }
  EXPECT_GE(collections, 9u);
  EXPECT_EQ(held->action.value.low, 0u);
  EXPECT_EQ(thread.history->next(*read, {0, 0}), held) << "what is in use stays linked";
}

TEST(ThreadHistory, IsFullWhenStatesTakeTooMuchMemory) {
  CopyThread thread;
  ThreadHistory small(*thread.machine, {}, 16384, 4096);
  HistoryNode* const read = small.next(*small.start(nullptr, 0, 0, 0, false), {});
  for (std::uint64_t value = 0; value < 1000 && !small.full(); ++value) small.next(*read, {value, 0});
  EXPECT_TRUE(small.full());
  EXPECT_LT(thread.machine->bytes_in_states(), 8192u);
  small.collect({read});
  EXPECT_FALSE(small.full());
  EXPECT_LT(thread.machine->bytes_in_states(), 4096u);
}

TEST(ThreadHistory, GrowsIfMoreIsInUseThanItHasRoomFor) {
  CopyThread thread(true, 10);
  std::vector<HistoryNode*> in_use = {thread.at_read()};
  for (std::uint64_t value = 0; value < 100; ++value) {
    in_use.push_back(thread.history->next(*in_use[0], {value, 0}));
    if (thread.history->full()) thread.history->collect(in_use);
  }
  for (std::uint64_t value = 0; value < 100; ++value)
    EXPECT_EQ(thread.history->next(*in_use[0], {value, 0}), in_use[value + 1]);
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
  ThreadHistory history(machine, {});
  asked = &history;
  bool ran_again = false;
  HistoryNode* at = history.start(nullptr, 0, 0, 0, false);
  while (!ends(at->action) || at->at_begin) {
    HistoryNode* const once = history.next(*at, {});
    ran_again = ran_again || history.next(*at, {}) != once;
    at = once;
  }
  EXPECT_TRUE(ran_again);
}

}  // namespace
}  // namespace heddle::explore
