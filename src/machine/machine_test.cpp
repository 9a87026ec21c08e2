// Control flow, calls, and the protocol: parking, answering, going back.
#include "machine/machine.h"

#include <gtest/gtest.h>

#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

// return x + (x read again), then stores it.
ProgramBuilder two_reads_and_a_write(Address& x) {
  ProgramBuilder program;
  x = program.global("x", 4);
  FunctionBuilder function("f");
  Operand address = function.constant(x);
  Operand first = function.load(address, 32, MemoryOrder::acquire);
  Operand second = function.load(address, 32, MemoryOrder::relaxed);
  Operand sum = function.binary(Opcode::add, first, second);
  function.store(address, sum, 32, MemoryOrder::release);
  function.return_values({sum});
  program.add(function);
  return program;
}

TEST(Machine, YieldsReadsAndWritesWithTheirPositions) {
  Address x = 0;
  OneThread thread(two_reads_and_a_write(x));
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.address, x);
  EXPECT_EQ(action.size, 4);
  EXPECT_EQ(action.order, MemoryOrder::acquire);
  EXPECT_EQ(action.position, (CodePosition{0, 0}));
  EXPECT_FALSE(action.exclusive);
  action = thread.supply(5);
  EXPECT_EQ(action.order, MemoryOrder::relaxed);
  EXPECT_EQ(action.position, (CodePosition{0, 1}));
  action = thread.supply(7);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.value, (Value{12, 0}));
  EXPECT_EQ(action.order, MemoryOrder::release);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::finish);
  EXPECT_EQ(action.value.low, 12u);
  EXPECT_EQ(thread.proceed().kind, ActionKind::finish);
}

TEST(Machine, RunningAParkedThreadAgainChangesNothing) {
  Address x = 0;
  OneThread thread(two_reads_and_a_write(x));
  thread.run();
  thread.run();
  thread.supply(1);
  thread.run();
  EXPECT_EQ(thread.supply(2).value.low, 3u);
  EXPECT_EQ(thread.run().value.low, 3u);
}

TEST(Machine, GoesBackToACopyOfTheState) {
  Address x = 0;
  OneThread thread(two_reads_and_a_write(x));
  thread.run();
  ThreadState at_first = thread.state;
  thread.supply(1);
  ThreadState at_second = thread.state;
  EXPECT_EQ(thread.supply(1).value.low, 2u);
  thread.state = at_second;
  EXPECT_EQ(thread.run().kind, ActionKind::read);
  EXPECT_EQ(thread.supply(10).value.low, 11u);
  EXPECT_EQ(thread.proceed().kind, ActionKind::finish);
  thread.state = at_first;
  thread.supply(100);
  EXPECT_EQ(thread.supply(0).value.low, 100u);
  thread.state = at_second;
  EXPECT_EQ(thread.supply(1).value.low, 2u);
}

TEST(Machine, StatesOutliveTheirMachine) {
  Address x = 0;
  const Program program = two_reads_and_a_write(x).program;
  ThreadState kept;
  {
    Machine machine(program, {});
    kept = machine.start(0, 0, 0, false);
    machine.run(kept);
  }
  EXPECT_FALSE(kept.empty());
  EXPECT_TRUE(ThreadState().empty());
}

// fib(n), recursively, with a read of x at every leaf that is added to the result.
ProgramBuilder fibonacci(Address& x) {
  ProgramBuilder program;
  x = program.global("x", 8);
  FunctionBuilder main("main");
  main.return_values({main.call(1, {main.constant(6)})});
  program.add(main);
  FunctionBuilder fib("fib", 1);
  auto leaf = fib.new_label(), inner = fib.new_label();
  Operand small = fib.binary(Opcode::unsigned_less, fib.parameter(0), fib.constant(2), 64);
  fib.branch(small, leaf, inner);
  fib.bind(leaf);
  Operand read = fib.load(fib.constant(x), 64, MemoryOrder::relaxed);
  fib.return_values({fib.binary(Opcode::add, read, fib.parameter(0), 64)});
  fib.bind(inner);
  Operand a = fib.call(1, {fib.binary(Opcode::sub, fib.parameter(0), fib.constant(1), 64)});
  Operand b = fib.call(1, {fib.binary(Opcode::sub, fib.parameter(0), fib.constant(2), 64)});
  fib.return_values({fib.binary(Opcode::add, a, b, 64)});
  program.add(fib);
  return program;
}

TEST(Machine, RewindsInsideNestedCalls) {
  Address x = 0;
  OneThread thread(fibonacci(x));
  std::vector<ThreadState> states;
  Action action = thread.run();
  while (action.kind == ActionKind::read) {
    states.push_back(thread.state);
    action = thread.supply(0);
  }
  ASSERT_EQ(action.kind, ActionKind::finish);
  EXPECT_EQ(action.value.low, 8u);
  ASSERT_EQ(states.size(), 13u);
  // From every read on, now with 1 for each: the leaves from there to the end count once more.
  for (std::size_t i = states.size(); i-- > 0;) {
    thread.state = states[i];
    for (action = thread.run(); action.kind == ActionKind::read;) action = thread.supply(1);
    EXPECT_EQ(action.value.low, 8 + states.size() - i);
  }
}

TEST(Machine, LoopsAndSwitches) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  Operand i = f.new_registers(), sum = f.new_registers();
  f.move(i, f.constant(0));
  f.move(sum, f.constant(0));
  auto head = f.new_label(), one = f.new_label(), other = f.new_label(), next = f.new_label(), done = f.new_label();
  f.bind(head);
  f.switch_on(i, 32, {{3, one}, {5, one}, {9, done}}, other);
  f.bind(one);
  f.emit({.op = Opcode::add, .bits = 32, .dst = sum, .a = sum, .b = f.constant(100)});
  f.jump(next);
  f.bind(other);
  f.emit({.op = Opcode::add, .bits = 32, .dst = sum, .a = sum, .b = i});
  f.bind(next);
  f.emit({.op = Opcode::add, .bits = 32, .dst = i, .a = i, .b = f.constant(1)});
  f.jump(head);
  f.bind(done);
  f.return_values({sum});
  program.add(f);
  EXPECT_EQ(result_of(std::move(program)), 200u + 0 + 1 + 2 + 4 + 6 + 7 + 8);
}

TEST(Machine, CallsThroughPointers) {
  auto call = [](Address callee, std::uint32_t parameters = 1) {
    ProgramBuilder program;
    FunctionBuilder f("f");
    f.return_values({f.call_indirect(f.constant(callee), {f.constant(20)})});
    program.add(f);
    FunctionBuilder g("g", parameters);
    g.return_values({g.binary(Opcode::add, g.parameter(0), g.constant(1))});
    program.add(g);
    OneThread thread(std::move(program));
    return thread.run();
  };
  EXPECT_EQ(call(address_of_function(1)).value.low, 21u);
  EXPECT_EQ(call(0).error, ErrorKind::null_dereference);
  EXPECT_EQ(call(address_of_function(2)).error, ErrorKind::undefined_behavior);
  EXPECT_EQ(call(address_of_function(1) + 1).error, ErrorKind::undefined_behavior);
  EXPECT_EQ(call(globals_begin).error, ErrorKind::undefined_behavior);
  EXPECT_EQ(call(address_of_function(1), 2).error, ErrorKind::undefined_behavior);
}

TEST(Machine, EndlessLoopsEndAtTheStepLimit) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  auto head = f.new_label();
  f.bind(head);
  f.jump(head);
  program.add(f);
  OneThread thread(std::move(program), {.step_limit = 1000});
  EXPECT_EQ(thread.run().kind, ActionKind::step_limit);
  EXPECT_EQ(thread.proceed().kind, ActionKind::step_limit);
}

TEST(Machine, DeepRecursionStops) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  f.return_values({f.call(0, {})});
  program.add(f);
  OneThread thread(std::move(program), {.frame_limit = 500});
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::call_limit);
  EXPECT_EQ(thread.run().kind, ActionKind::call_limit);
}

TEST(Machine, LoopBoundAllowsThatManyIterations) {
  ProgramBuilder program;
  Address x = program.global("x", 4);
  FunctionBuilder f("f");
  Operand counter = f.new_registers();
  auto head = f.new_label();
  f.emit({.op = Opcode::loop_begin, .dst = counter});
  f.bind(head);
  f.load(f.constant(x), 32, MemoryOrder::relaxed);
  f.emit({.op = Opcode::loop_iterate, .dst = counter});
  f.jump(head);
  program.add(f);
  OneThread thread(std::move(program), {.loop_bound = 3});
  int reads = 0;
  Action action = thread.run();
  for (; action.kind == ActionKind::read; ++reads) action = thread.supply(0);
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(action.kind, ActionKind::bound);
  EXPECT_EQ(thread.proceed().kind, ActionKind::bound);
}

TEST(Machine, ReachingUnreachableOrUnsupportedCode) {
  ProgramBuilder first;
  FunctionBuilder f("f");
  f.emit({.op = Opcode::unreachable});
  first.add(f);
  EXPECT_EQ(OneThread(std::move(first)).run().error, ErrorKind::undefined_behavior);
  ProgramBuilder second;
  second.program.texts = {"inline assembly"};
  FunctionBuilder g("g");
  g.emit({.op = Opcode::unsupported, .a = 0});
  second.add(g);
  OneThread thread(std::move(second));
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::unsupported);
  EXPECT_EQ(*action.text, "inline assembly");
}

TEST(Machine, InitialValuesOfGlobalsAndSharedThreadLocals) {
  ProgramBuilder builder;
  Address x = builder.global("x", 8, {1, 2, 3, 4, 5, 6, 7, 8});
  ThreadLocal local;
  local.size = 4;
  local.bytes = {9, 0, 0, 0};
  local.shared = true;
  local.offset = 8;
  builder.program.thread_locals.push_back(local);
  builder.program.shared_thread_local_bytes = 12;
  Machine machine(builder.program, {});
  Value value;
  EXPECT_TRUE(machine.initial_value(x + 2, 2, value));
  EXPECT_EQ(value.low, 0x0403u);
  EXPECT_FALSE(machine.initial_value(x + 6, 4, value));
  EXPECT_TRUE(machine.initial_value(shared_base(3) + 8, 4, value));
  EXPECT_EQ(value.low, 9u);
  EXPECT_FALSE(machine.initial_value(shared_base(3), 4, value));
}

}  // namespace
}  // namespace heddle::machine
