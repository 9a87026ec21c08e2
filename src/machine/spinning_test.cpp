// Tests of spinning.cpp: which iterations of a loop count as having changed nothing.
#include <gtest/gtest.h>

#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

// do a = x; while (a == 0), with `in_loop` emitted after the load.
template <class Emit>
ProgramBuilder waiting_loop(Emit in_loop) {
  ProgramBuilder program;
  const Address x = program.global("x", 4);
  FunctionBuilder f("f");
  const Operand local = f.new_registers();
  const std::uint32_t loop = f.new_loop({local});
  auto head = f.new_label(), done = f.new_label();
  f.bind(head);
  f.emit({.op = Opcode::watch_loop, .a = loop});
  const Operand value = f.load(f.constant(x), 32, MemoryOrder::relaxed);
  in_loop(f, local, value, x);
  f.branch(value, done, head);
  f.bind(done);
  f.return_values();
  program.add(f);
  return program;
}

const auto nothing = [](FunctionBuilder&, Operand, Operand, Address) {};

TEST(Spinning, ALoopThatOnlyReadsStopsAfterOneRound) {
  OneThread thread(waiting_loop(nothing));
  EXPECT_EQ(thread.run().kind, ActionKind::read);
  const ThreadState before = thread.state;
  const Action action = thread.supply(0);
  EXPECT_EQ(action.kind, ActionKind::spin);
  EXPECT_EQ(action.iteration, 1u);
  EXPECT_EQ(thread.run().kind, ActionKind::spin);  // it stays there
  thread.state = before;
  EXPECT_EQ(thread.supply(1).kind, ActionKind::finish);
}

TEST(Spinning, RegistersThatMatterMayDiffer) {
  OneThread thread(waiting_loop([](FunctionBuilder& f, Operand local, Operand, Address) {
    f.emit({.op = Opcode::add, .bits = 32, .dst = local, .a = local, .b = f.constant(1)});
  }));
  Action action = thread.run();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(action.kind, ActionKind::read);
    action = thread.supply(0);
  }
}

TEST(Spinning, AWriteIsAnEffectButNotAFence) {
  OneThread writes(waiting_loop([](FunctionBuilder& f, Operand, Operand, Address x) {
    f.store(f.constant(x), f.constant(0), 32, MemoryOrder::relaxed);
  }));
  writes.run();
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(writes.supply(0).kind, ActionKind::write);
    ASSERT_EQ(writes.proceed().kind, ActionKind::read);
  }
  OneThread fences(waiting_loop([](FunctionBuilder& f, Operand, Operand, Address) { f.fence(MemoryOrder::seq_cst); }));
  fences.run();
  EXPECT_EQ(fences.supply(0).kind, ActionKind::fence);
  const Action action = fences.proceed();
  EXPECT_EQ(action.kind, ActionKind::spin);
  EXPECT_EQ(action.iteration, 2u);
}

// A local that goes round 0, 1, 2, 0, ...: back after three rounds.
TEST(Spinning, SeveralRoundsUntilTheStateIsBack) {
  OneThread thread(waiting_loop([](FunctionBuilder& f, Operand local, Operand, Address) {
    f.emit({.op = Opcode::add, .bits = 32, .dst = local, .a = local, .b = f.constant(1)});
    f.emit({.op = Opcode::urem, .bits = 32, .dst = local, .a = local, .b = f.constant(3)});
  }));
  Action action = thread.run();
  int reads = 0;
  for (; action.kind == ActionKind::read && reads < 50; ++reads) action = thread.supply(0);
  EXPECT_EQ(action.kind, ActionKind::spin);
  EXPECT_EQ(action.iteration, 3u);
  EXPECT_LE(reads, 10);
}

// The loop counts in private memory: nothing that is alive in registers changes.
TEST(Spinning, PrivateMemoryIsPartOfTheState) {
  for (const bool counts : {true, false}) {
    ProgramBuilder program;
    const Address x = program.global("x", 4);
    FunctionBuilder f("f");
    const Operand object = f.stack_object(4, StackObjectKind::private_object);
    const std::uint32_t loop = f.new_loop({object});
    auto head = f.new_label(), done = f.new_label();
    f.store(object, f.constant(0), 32, MemoryOrder::plain);
    f.bind(head);
    f.emit({.op = Opcode::watch_loop, .a = loop});
    const Operand old = f.load(object, 32, MemoryOrder::plain);
    const Operand sum = f.new_registers();
    f.emit({.op = Opcode::add, .bits = 32, .dst = sum, .a = old, .b = f.constant(counts ? 1 : 0)});
    f.store(object, sum, 32, MemoryOrder::plain);
    const Operand value = f.load(f.constant(x), 32, MemoryOrder::relaxed);
    f.branch(value, done, head);
    f.bind(done);
    f.return_values();
    program.add(f);
    OneThread thread(std::move(program));
    thread.run();
    for (int i = 0; i < 10; ++i) ASSERT_EQ(thread.supply(0).kind, counts ? ActionKind::read : ActionKind::spin);
  }
}

// do a = add(x, 1), add(x, -1); while (a == 0): whether that is nothing is for others to say.
TEST(Spinning, UpdatesMayCancelOut) {
  const auto add_and_subtract = [] {
    return waiting_loop([](FunctionBuilder& f, Operand, Operand, Address x) {
      f.read_modify_write(RmwOp::add, f.constant(x), f.constant(1), 32, MemoryOrder::relaxed);
      f.read_modify_write(RmwOp::subtract, f.constant(x), f.constant(1), 32, MemoryOrder::relaxed);
    });
  };
  for (const bool may : {true, false}) {
    OneThread thread(add_and_subtract(), {.undone_updates = may});
    EXPECT_EQ(thread.run().kind, ActionKind::read);
    for (int round = 0; round < 5; ++round) {
      Action action = thread.supply(0);
      for (const std::uint64_t old : {0, 1}) {
        ASSERT_EQ(action.kind, ActionKind::read);
        ASSERT_EQ(thread.supply(old).kind, ActionKind::write);
        action = thread.proceed();
      }
      if (may) {
        ASSERT_EQ(action.kind, ActionKind::round);
        EXPECT_EQ(action.iteration, 5u);
        action = thread.proceed();
      }
      ASSERT_EQ(action.kind, ActionKind::read);
    }
  }
}

// do a = exchange(y, 1); while (x == 0): only the exchange that changes y is an effect.
TEST(Spinning, AnUpdateMayWriteWhatWasThere) {
  for (const bool counts : {false, true}) {
    OneThread thread(waiting_loop([](FunctionBuilder& f, Operand, Operand, Address x) {
                       f.read_modify_write(RmwOp::exchange, f.constant(x), f.constant(1), 32, MemoryOrder::relaxed);
                     }),
                     {.rewriting_has_effect = counts});
    thread.run();
    ASSERT_EQ(thread.supply(0).kind, ActionKind::read);
    ASSERT_EQ(thread.supply(0).kind, ActionKind::write);  // of 1
    ASSERT_EQ(thread.proceed().kind, ActionKind::read);
    ASSERT_EQ(thread.supply(0).kind, ActionKind::read);
    const Action last = thread.supply(1);  // what was there
    EXPECT_EQ(last.kind, counts ? ActionKind::write : ActionKind::spin);
    EXPECT_EQ(counts ? 2u : last.iteration, 2u);  // the write is none
  }
}

TEST(Spinning, CanBeSwitchedOff) {
  OneThread thread(waiting_loop(nothing), {.watch_loops = false});
  thread.run();
  for (int i = 0; i < 10; ++i) ASSERT_EQ(thread.supply(0).kind, ActionKind::read);
}

}  // namespace
}  // namespace heddle::machine
