// Threads, choices, mutexes and barriers: the actions their functions take.
#include <gtest/gtest.h>

#include <functional>

#include "base/check.h"
#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

constexpr std::uint64_t barrier_ready = std::uint64_t{1} << 63;

struct Fixture {
  Address x = 0;  // a global of 40 bytes

  OneThread thread(const std::function<void(FunctionBuilder&, Operand x)>& body, std::vector<std::uint8_t> bytes = {},
                   MachineOptions options = {}) {
    ProgramBuilder program;
    x = program.global("x", 40, std::move(bytes));
    FunctionBuilder function("f", 1);
    body(function, function.constant(x));
    program.add(function);
    return OneThread(std::move(program), std::move(options));
  }
};

TEST(Threads, RunAFunctionAtTheirEndUnlessMainReturns) {
  for (bool exits : {false, true}) {
    ProgramBuilder builder;
    FunctionBuilder first("first"), last("last", 1);
    first.stack_object(8, StackObjectKind::private_object);
    Operand value = first.constant(20);
    if (exits) first.library(LibraryCall::thread_exit, {value});
    first.return_values({value});
    last.return_values({last.binary(Opcode::add, 0, last.constant(1), 64)});
    builder.add(first);
    builder.add(last);
    builder.program.at_thread_end = 1;
    Machine machine(builder.program, {});
    for (ThreadId thread : {0u, 1u}) {
      ThreadState state = machine.start(thread, 0, 0, false);
      Action action = machine.run(state);
      EXPECT_EQ(action.kind, ActionKind::finish);
      EXPECT_EQ(action.value.low, thread == 0 && !exits ? 20u : 21u);
      EXPECT_EQ(machine.run(state).value.low, action.value.low);
    }
  }
}

TEST(Threads, CreateStoresTheIdentifierAndJoinItsValue) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand x) {
    Operand handle = f.stack_object(8, StackObjectKind::private_object);
    f.library(LibraryCall::thread_create, {handle, f.constant(address_of_function(0)), f.constant(77)});
    f.library(LibraryCall::thread_create_c11, {x, f.constant(address_of_function(0)), f.constant(0)});
    f.library(LibraryCall::thread_join, {f.load(handle, 64), f.constant(0)});
    Operand result = f.stack_object(8, StackObjectKind::private_object);
    f.library(LibraryCall::thread_join, {f.load(handle, 64), result});
    f.library(LibraryCall::thread_join_c11, {f.load(handle, 64), x});
    f.return_values({f.load(result, 64)});
  });
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::create);
  EXPECT_EQ(action.function, 0u);
  EXPECT_EQ(action.value.low, 77u);
  EXPECT_FALSE(action.c11_thread);
  action = thread.supply(3);
  EXPECT_EQ(action.kind, ActionKind::create);
  EXPECT_TRUE(action.c11_thread);
  action = thread.supply(4);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.value.low, 5u);
  EXPECT_EQ(action.size, 8);
  EXPECT_EQ(action.address, fixture.x);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::join);
  EXPECT_EQ(action.target, 3u);
  action = thread.supply(0);
  EXPECT_EQ(action.kind, ActionKind::join);
  action = thread.supply(1234);
  EXPECT_EQ(action.kind, ActionKind::join);
  action = thread.supply(99);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.size, 4);
  EXPECT_EQ(action.value.low, 99u);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::finish);
  EXPECT_EQ(action.value.low, 1234u);
}

TEST(Threads, MisuseIsAnError) {
  Fixture fixture;
  auto join = fixture.thread(
      [](FunctionBuilder& f, Operand) { f.library(LibraryCall::thread_join, {f.constant(0), f.constant(0)}); });
  EXPECT_EQ(join.run().error, ErrorKind::thread_misuse);
  auto create = fixture.thread(
      [](FunctionBuilder& f, Operand x) { f.library(LibraryCall::thread_create, {x, x, f.constant(0)}); });
  EXPECT_EQ(create.run().error, ErrorKind::undefined_behavior);
}

TEST(Threads, ExitReleasesTheSharedObjectsOfAllCalls) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  f.stack_object(8, StackObjectKind::shared_object);
  f.call(1, {}, 0);
  f.emit({.op = Opcode::unreachable});
  program.add(f);
  FunctionBuilder g("g");
  g.stack_object(8, StackObjectKind::shared_object);
  g.library(LibraryCall::thread_exit, {g.constant(0x100000005)});
  g.emit({.op = Opcode::unreachable});
  program.add(g);
  Machine machine(program.program, {});
  for (bool c11 : {false, true}) {
    ThreadState state = machine.start(1, 0, 0, c11);
    machine.run(state);
    machine.proceed(state);
    machine.run(state);
    machine.proceed(state);
    EXPECT_EQ(machine.run(state).kind, ActionKind::release);
    machine.proceed(state);
    EXPECT_EQ(machine.run(state).kind, ActionKind::release);
    machine.proceed(state);
    Action action = machine.run(state);
    EXPECT_EQ(action.kind, ActionKind::finish);
    EXPECT_EQ(action.value.low, c11 ? 5u : 0x100000005u);
    machine.proceed(state);
    EXPECT_EQ(machine.run(state).kind, ActionKind::finish);
  }
}

TEST(Threads, SelfDetachAndYield) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand) {
    f.library(LibraryCall::yield_thread);
    Operand self = f.library(LibraryCall::thread_self);
    f.library(LibraryCall::thread_detach, {self});
    f.return_values({self});
  });
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::detach);
  EXPECT_EQ(action.target, 0u);
  EXPECT_EQ(thread.proceed().value.low, 1u);
}

TEST(Program, ChoicesAssumptionsAndEnds) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand) {
    Operand choice = f.library(LibraryCall::choose, {f.constant(0xfffffffe), f.constant(3), f.constant(32)});
    f.library(LibraryCall::assume, {choice});
    f.return_values({choice});
  });
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::choose);
  EXPECT_EQ(action.low, -2);
  EXPECT_EQ(action.high, 3);
  ThreadState before = thread.state;
  EXPECT_EQ(thread.supply(static_cast<std::uint64_t>(-1)).value.low, 0xffffffffu);
  thread.state = before;
  EXPECT_EQ(thread.supply(0).kind, ActionKind::block);
  EXPECT_EQ(thread.proceed().kind, ActionKind::block);

  auto empty = fixture.thread([](FunctionBuilder& f, Operand) {
    f.library(LibraryCall::choose, {f.constant(3), f.constant(2), f.constant(32)});
  });
  action = empty.run();
  EXPECT_EQ(action.error, ErrorKind::undefined_behavior);
  EXPECT_EQ(*action.text, "heddle_choose: empty range");
  auto exit =
      fixture.thread([](FunctionBuilder& f, Operand) { f.library(LibraryCall::exit_program, {f.constant(1)}); });
  EXPECT_EQ(exit.run().kind, ActionKind::exit);
  auto abort = fixture.thread([](FunctionBuilder& f, Operand) { f.library(LibraryCall::abort_program); });
  action = abort.run();
  EXPECT_EQ(action.error, ErrorKind::assertion);
  EXPECT_EQ(*action.text, "abort() was called");
}

TEST(Program, AFailedAssertionNamesItsExpression) {
  ProgramBuilder program;
  Address text = program.constant_text("x == 1");
  FunctionBuilder f("f");
  f.library(LibraryCall::assertion_failed, {f.constant(text)});
  program.add(f);
  OneThread thread(std::move(program));
  Action action = thread.run();
  EXPECT_EQ(action.error, ErrorKind::assertion);
  EXPECT_EQ(*action.text, "x == 1");
}

TEST(Mutexes, LockIsAReadAndAWriteUnlockAWrite) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand x) {
    f.library(LibraryCall::mutex_init, {x, f.constant(0)});
    f.library(LibraryCall::mutex_lock, {x});
    f.library(LibraryCall::mutex_unlock, {x});
    f.library(LibraryCall::mutex_destroy, {x});
    f.return_values({f.constant(1)});
  });
  Action action = thread.run();
  EXPECT_EQ(action.access, AccessKind::mutex_init);
  EXPECT_EQ(action.value.low, 0x100u);
  EXPECT_EQ(action.order, MemoryOrder::plain);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.access, AccessKind::lock);
  EXPECT_TRUE(action.exclusive);
  EXPECT_EQ(action.order, MemoryOrder::acquire);
  EXPECT_EQ(action.size, 4);
  action = thread.supply(0x100);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.access, AccessKind::lock);
  EXPECT_TRUE(action.exclusive);
  EXPECT_EQ(action.order, MemoryOrder::relaxed);
  EXPECT_EQ(action.value.low, 0x101u);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.access, AccessKind::unlock);
  EXPECT_FALSE(action.exclusive);
  EXPECT_EQ(action.order, MemoryOrder::release);
  EXPECT_EQ(action.value.low, 0x100u);
  action = thread.proceed();
  EXPECT_EQ(action.access, AccessKind::mutex_destroy);
  EXPECT_EQ(action.value.low, 0x10000u);
  EXPECT_EQ(thread.proceed().kind, ActionKind::finish);
}

TEST(Mutexes, MisuseIsAnError) {
  Fixture fixture;
  auto unlock = fixture.thread([](FunctionBuilder& f, Operand x) { f.library(LibraryCall::mutex_unlock, {x}); });
  EXPECT_EQ(unlock.run().kind, ActionKind::read);  // of which kind is it?
  EXPECT_EQ(unlock.supply(0).error, ErrorKind::lock_misuse);
  auto checking = fixture.thread(
      [](FunctionBuilder& f, Operand x) { f.return_values({f.library(LibraryCall::mutex_unlock, {x})}); });
  checking.run();
  const Action refused = checking.supply(0x300);  // error-checking: a number, no error
  EXPECT_EQ(refused.kind, ActionKind::finish);
  EXPECT_EQ(refused.value.low, 1u);
  auto destroyed = fixture.thread([](FunctionBuilder& f, Operand x) { f.library(LibraryCall::mutex_lock, {x}); });
  destroyed.run();
  EXPECT_EQ(destroyed.supply(0x10000).error, ErrorKind::lock_misuse);
  auto destroy = fixture.thread([](FunctionBuilder& f, Operand x) {
    f.library(LibraryCall::mutex_lock, {x});
    f.library(LibraryCall::mutex_destroy, {x});
  });
  destroy.run();
  destroy.supply(0);
  EXPECT_EQ(destroy.proceed().error, ErrorKind::lock_misuse);
  auto taken = fixture.thread([](FunctionBuilder& f, Operand x) { f.library(LibraryCall::mutex_lock, {x}); });
  taken.run();
  EXPECT_THROW(taken.supply(1), InternalError);
}

// Locks twice, then unlocks twice; returns the sum of all results.
void lock_twice(FunctionBuilder& f, Operand x, LibraryCall second, bool unlock_twice) {
  Operand sum = f.library(LibraryCall::mutex_lock, {x});
  sum = f.binary(Opcode::add, sum, f.library(second, {x}));
  f.library(LibraryCall::mutex_unlock, {x});
  if (unlock_twice) f.library(LibraryCall::mutex_unlock, {x});
  f.return_values({sum});
}

TEST(Mutexes, KindsDecideWhatLockingTwiceDoes) {
  Fixture fixture;
  // By pthread_mutex_init: recursive. Only the outermost pair is visible.
  auto recursive =
      fixture.thread([](FunctionBuilder& f, Operand x) { lock_twice(f, x, LibraryCall::mutex_lock, true); });
  recursive.run();
  recursive.supply(0x200);
  EXPECT_EQ(recursive.proceed().access, AccessKind::unlock);
  EXPECT_EQ(recursive.proceed().value.low, 0u);
  // Error-checking, by a static initialiser.
  std::vector<std::uint8_t> image(40);
  image[16] = 2;
  auto checking =
      fixture.thread([](FunctionBuilder& f, Operand x) { lock_twice(f, x, LibraryCall::mutex_lock, false); }, image);
  checking.run();
  checking.supply(0);
  EXPECT_EQ(checking.proceed().access, AccessKind::unlock);
  EXPECT_EQ(checking.proceed().value.low, 35u);
  // Normal: the second lock waits for ever, the second trylock fails.
  auto normal = fixture.thread([](FunctionBuilder& f, Operand x) { lock_twice(f, x, LibraryCall::mutex_lock, false); });
  normal.run();
  normal.supply(0);
  Action action = normal.proceed();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.access, AccessKind::lock);
  auto trying =
      fixture.thread([](FunctionBuilder& f, Operand x) { lock_twice(f, x, LibraryCall::mutex_trylock, false); });
  trying.run();
  trying.supply(0);
  action = trying.proceed();
  EXPECT_EQ(action.access, AccessKind::trylock);
  EXPECT_EQ(trying.supply(1).access, AccessKind::unlock);
  EXPECT_EQ(trying.proceed().value.low, 16u);
}

TEST(Mutexes, WhoHoldsThemGoesBackWithTheState) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand x) {
    f.library(LibraryCall::mutex_trylock, {x});
    f.library(LibraryCall::mutex_unlock, {x});
    f.return_values();
  });
  thread.run();
  ThreadState before = thread.state;
  thread.supply(0);
  EXPECT_EQ(thread.proceed().access, AccessKind::unlock);
  thread.state = before;
  EXPECT_EQ(thread.supply(1).kind, ActionKind::read);  // busy, so not held
  EXPECT_EQ(thread.supply(1).error, ErrorKind::lock_misuse);
}

TEST(Barriers, TheLastToArriveGoesOnTheOthersWait) {
  Fixture fixture;
  auto thread = fixture.thread([](FunctionBuilder& f, Operand x) {
    f.library(LibraryCall::barrier_init, {x, f.constant(3)});
    Operand first = f.library(LibraryCall::barrier_wait, {x});
    Operand second = f.library(LibraryCall::barrier_wait, {x});
    f.library(LibraryCall::barrier_destroy, {x});
    f.return_values({f.binary(Opcode::add, first, second, 64)});
  });
  constexpr std::uint64_t word = barrier_ready | std::uint64_t{3} << 32;
  Action action = thread.run();
  EXPECT_EQ(action.access, AccessKind::barrier_init);
  EXPECT_EQ(action.value.low, word);
  EXPECT_EQ(action.size, 8);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.access, AccessKind::barrier_arrive);
  EXPECT_EQ(action.order, MemoryOrder::acquire_release);
  action = thread.supply(word | 1);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.value.low, word | 2);
  EXPECT_TRUE(action.exclusive);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.access, AccessKind::barrier_leave);
  EXPECT_FALSE(action.exclusive);
  EXPECT_EQ(action.await_mask, 0xffffffffu);
  EXPECT_EQ(action.await_value, 3u);
  action = thread.supply(word | 3);
  EXPECT_EQ(action.access, AccessKind::barrier_arrive);
  action = thread.supply(word | 5);
  EXPECT_EQ(action.value.low, word | 6);
  action = thread.proceed();
  EXPECT_EQ(action.access, AccessKind::barrier_destroy);
  EXPECT_EQ(action.value.low, 0u);
  EXPECT_EQ(thread.proceed().value.low, 0xffffffffu);
}

TEST(Barriers, MisuseIsAnError) {
  Fixture fixture;
  auto zero =
      fixture.thread([](FunctionBuilder& f, Operand x) { f.library(LibraryCall::barrier_init, {x, f.constant(0)}); });
  EXPECT_EQ(zero.run().error, ErrorKind::barrier_misuse);
  auto wait = fixture.thread([](FunctionBuilder& f, Operand x) { f.library(LibraryCall::barrier_wait, {x}); });
  wait.run();
  EXPECT_EQ(wait.supply(0).error, ErrorKind::barrier_misuse);
}

}  // namespace
}  // namespace heddle::machine
