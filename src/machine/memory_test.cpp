// Which memory an address denotes: private, constant, shared or none; objects and their lifetimes; block operations.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

// A program whose function 0 is filled by `body`.
OneThread thread_of(const std::function<void(ProgramBuilder&, FunctionBuilder&)>& body, MachineOptions options = {}) {
  ProgramBuilder program;
  FunctionBuilder function("f");
  body(program, function);
  program.add(function);
  return OneThread(std::move(program), std::move(options));
}

TEST(PrivateMemory, KeepsItsBytesWithoutActions) {
  auto thread = thread_of([](ProgramBuilder&, FunctionBuilder& f) {
    Operand object = f.stack_object(16, StackObjectKind::private_object);
    f.store(object, f.constant(0x1122334455667788), 64);
    Operand middle = f.binary(Opcode::add, object, f.constant(2), 64);
    f.store(middle, f.constant(0xabcd), 16);
    f.return_values({f.load(object, 64)});
  });
  Action action = thread.run();
  ASSERT_EQ(action.kind, ActionKind::finish);
  EXPECT_EQ(action.value.low, 0x11223344abcd7788u);
}

TEST(PrivateMemory, IsCopiedWhenAnEarlierStateStillNeedsIt) {
  Address x = 0;
  auto thread = thread_of([&](ProgramBuilder& program, FunctionBuilder& f) {
    x = program.global("x", 8);
    Operand object = f.stack_object(8, StackObjectKind::private_object);
    f.store(object, f.constant(1), 64);
    f.read_modify_write(RmwOp::add, object, f.load(f.constant(x), 64), 64, MemoryOrder::seq_cst);
    f.read_modify_write(RmwOp::add, object, f.load(f.constant(x), 64), 64, MemoryOrder::seq_cst);
    f.return_values({f.load(object, 64)});
  });
  thread.run();
  ThreadState first = thread.state;
  thread.supply(10);
  ThreadState second = thread.state;
  EXPECT_EQ(thread.supply(100).value.low, 111u);
  thread.state = second;
  EXPECT_EQ(thread.supply(200).value.low, 211u);
  thread.state = first;
  thread.supply(0);
  EXPECT_EQ(thread.supply(0).value.low, 1u);
  thread.state = second;
  EXPECT_EQ(thread.supply(300).value.low, 311u);
}

ErrorKind error_of(const std::function<void(ProgramBuilder&, FunctionBuilder&)>& body) {
  auto thread = thread_of(body);
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::error);
  EXPECT_NE(action.text, nullptr);
  return action.error;
}

TEST(PrivateMemory, ErrorsAreDetectedExactly) {
  auto access = [](std::uint64_t offset, unsigned bits, MemoryOrder order, bool write) {
    return [=](ProgramBuilder&, FunctionBuilder& f) {
      Operand object = f.stack_object(12, StackObjectKind::private_object);
      f.store(object, f.constant(1), 64);
      f.stack_object(64, StackObjectKind::private_object);
      Operand address = f.binary(Opcode::add, object, f.constant(offset), 64);
      if (write)
        f.store(address, f.constant(0), bits, order);
      else
        f.load(address, bits, order);
      f.return_values();
    };
  };
  EXPECT_EQ(error_of(access(8, 64, MemoryOrder::plain, true)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(access(12, 8, MemoryOrder::plain, false)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(access(static_cast<std::uint64_t>(-1), 8, MemoryOrder::plain, true)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(access(1ull << 40, 8, MemoryOrder::plain, true)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(access(8, 32, MemoryOrder::plain, false)), ErrorKind::uninitialized);
  EXPECT_EQ(error_of(access(5, 32, MemoryOrder::plain, false)), ErrorKind::uninitialized);
  EXPECT_EQ(error_of(access(2, 32, MemoryOrder::relaxed, false)), ErrorKind::undefined_behavior);
  EXPECT_EQ(thread_of(access(2, 32, MemoryOrder::plain, false)).run().kind, ActionKind::finish);
  EXPECT_EQ(thread_of(access(4, 64, MemoryOrder::plain, true)).run().kind, ActionKind::finish);
}

TEST(PrivateMemory, ALocalVariableDiesWithItsFunctionEvenIfItsBytesAreReused) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  Operand dangling = f.call(1, {});
  Operand fresh = f.stack_object(8, StackObjectKind::private_object);
  f.store(fresh, f.constant(5), 64);
  f.return_values({f.load(dangling, 64)});
  program.add(f);
  FunctionBuilder g("g");
  Operand local = g.stack_object(8, StackObjectKind::private_object);
  g.store(local, g.constant(7), 64);
  g.return_values({local});
  program.add(g);
  OneThread thread(std::move(program));
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::error);
  EXPECT_EQ(action.error, ErrorKind::use_after_free);
}

TEST(PrivateMemory, ReusedBytesStartUninitialised) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  f.call(1, {}, 0);
  Operand fresh = f.stack_object(8, StackObjectKind::private_object);
  f.return_values({f.load(fresh, 64)});
  program.add(f);
  FunctionBuilder g("g");
  Operand local = g.stack_object(8, StackObjectKind::private_object);
  g.store(local, g.constant(7), 64);
  g.return_values();
  program.add(g);
  EXPECT_EQ(OneThread(std::move(program)).run().error, ErrorKind::uninitialized);
}

TEST(PrivateMemory, ObjectsBeyondTheLimitBecomeShared) {
  auto thread = thread_of(
      [](ProgramBuilder&, FunctionBuilder& f) {
        f.stack_object(64, StackObjectKind::private_object);
        f.stack_object(64, StackObjectKind::private_object);
        f.return_values();
      },
      {.private_memory_limit = 100});
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::allocate);
  EXPECT_EQ(action.object, ObjectKind::stack);
  EXPECT_EQ(action.object_size, 64u);
}

TEST(Memory, PrivateThreadLocalsStartWithTheirValue) {
  ProgramBuilder program;
  ThreadLocal local;
  local.size = 4;
  local.bytes = {42, 0, 0, 0};
  local.offset = 16;
  program.program.thread_locals.push_back(local);
  program.program.private_thread_local_bytes = 20;
  FunctionBuilder f("f");
  Operand address = f.constant(privates_begin + 16);
  Operand other = f.stack_object(4, StackObjectKind::private_object);
  f.store(other, f.constant(1));
  f.read_modify_write(RmwOp::add, address, f.load(other), 32, MemoryOrder::relaxed);
  f.return_values({f.load(address)});
  program.add(f);
  EXPECT_EQ(result_of(std::move(program)), 43u);
}

TEST(Memory, SharedThreadLocalsLieInTheThreadsOwnRange) {
  ProgramBuilder builder;
  builder.program.shared_thread_local_bytes = 8;
  FunctionBuilder f("f");
  Operand address = f.new_registers();
  f.emit({.op = Opcode::move, .bits = 64, .dst = address, .a = f.constant(4), .d = thread_shared_base});
  f.store(address, f.constant(1));
  f.stack_object(1, StackObjectKind::shared_object);
  f.return_values();
  builder.add(f);
  Machine machine(builder.program, {});
  ThreadState state = machine.start(5, 0, 0, false);
  EXPECT_EQ(machine.run(state).address, shared_base(5) + 4);
  machine.proceed(state);
  EXPECT_GE(machine.run(state).address, shared_base(5) + 8);
}

TEST(Memory, ConstantsAnswerAtOnceAndAreNeverWritten) {
  ProgramBuilder program;
  Address text = program.constant_text("hello");
  FunctionBuilder f("f");
  f.return_values({f.load(f.constant(text + 1), 16)});
  program.add(f);
  EXPECT_EQ(result_of(std::move(program)), 'e' + 256u * 'l');
  auto with = [](std::uint64_t offset, bool write) {
    return [=](ProgramBuilder& program, FunctionBuilder& f) {
      Operand address = f.constant(program.constant_text("hello") + offset);
      write ? f.store(address, f.constant(0), 8) : static_cast<void>(f.load(address, 32));
      f.return_values();
    };
  };
  EXPECT_EQ(error_of(with(0, true)), ErrorKind::undefined_behavior);
  EXPECT_EQ(error_of(with(4, false)), ErrorKind::out_of_bounds);
}

TEST(Memory, AddressesOutsideEveryObject) {
  auto read = [](Address address) {
    return [=](ProgramBuilder&, FunctionBuilder& f) {
      f.load(f.constant(address), 32, MemoryOrder::relaxed);
      f.return_values();
    };
  };
  EXPECT_EQ(error_of(read(0)), ErrorKind::null_dereference);
  EXPECT_EQ(error_of(read(1000)), ErrorKind::null_dereference);
  EXPECT_EQ(error_of(read(address_of_function(0))), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(read(1 << 20)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(read(address_end + 64)), ErrorKind::out_of_bounds);
  EXPECT_EQ(error_of(read(globals_begin + 2)), ErrorKind::undefined_behavior);  // misaligned atomic
  EXPECT_EQ(thread_of(read(globals_begin + 64)).run().kind, ActionKind::read);  // the explorer's to judge
}

TEST(Memory, ReadModifyWriteIsTwoExclusiveHalves) {
  auto thread = thread_of([](ProgramBuilder& program, FunctionBuilder& f) {
    Address x = program.global("x", 1);
    f.return_values({f.read_modify_write(RmwOp::add, f.constant(x), f.constant(3), 8, MemoryOrder::acquire_release)});
  });
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::read);
  EXPECT_EQ(action.access, AccessKind::rmw);
  EXPECT_TRUE(action.exclusive);
  action = thread.supply(254);
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.access, AccessKind::rmw);
  EXPECT_TRUE(action.exclusive);
  EXPECT_EQ(action.value.low, 1u);
  EXPECT_EQ(action.order, MemoryOrder::acquire_release);
  EXPECT_EQ(thread.run().value.low, 1u);
  EXPECT_EQ(thread.proceed().value.low, 254u);
}

TEST(Memory, CompareExchangeWritesOnlyOnEqualValues) {
  for (unsigned bits : {32u, 128u}) {
    auto thread = thread_of([bits](ProgramBuilder& program, FunctionBuilder& f) {
      Address x = program.global("x", 16);
      Operand old_value = f.compare_exchange(f.constant(x), f.wide_constant(5, 6), f.wide_constant(8, 9), bits,
                                             MemoryOrder::seq_cst, MemoryOrder::acquire);
      Operand ten = f.binary(Opcode::mul, old_value, f.constant(10), 64);
      f.return_values({f.binary(Opcode::add, ten, old_value + (bits > 64 ? 2 : 1), 64)});
    });
    Action action = thread.run();
    EXPECT_EQ(action.access, AccessKind::compare_exchange);
    EXPECT_TRUE(action.exclusive);
    EXPECT_EQ(action.expected, (bits == 128 ? Value{5, 6} : Value{5, 0}));
    EXPECT_EQ(action.failure_order, MemoryOrder::acquire);
    ThreadState before = thread.state;
    action = thread.supply(bits == 128 ? Value{5, 7} : Value{4, 0});
    EXPECT_EQ(action.kind, ActionKind::finish);
    EXPECT_EQ(action.value.low, bits == 128 ? 50u : 40u);
    thread.state = before;
    action = thread.supply(bits == 128 ? Value{5, 6} : Value{5, 0});
    EXPECT_EQ(action.kind, ActionKind::write);
    EXPECT_EQ(action.value, (bits == 128 ? Value{8, 9} : Value{8, 0}));
    EXPECT_EQ(thread.proceed().value.low, 51u);
  }
}

TEST(StackObjects, SharedOnesAreAnnouncedAndReleasedOnReturn) {
  ProgramBuilder program;
  FunctionBuilder f("f");
  f.call(1, {}, 0);
  f.call(1, {}, 0);
  f.return_values();
  program.add(f);
  FunctionBuilder g("g");
  g.stack_object(24, StackObjectKind::shared_object, 64);
  g.stack_object(8, StackObjectKind::shared_object);
  g.return_values();
  program.add(g);
  OneThread thread(std::move(program));
  Action first = thread.run();
  EXPECT_EQ(first.kind, ActionKind::allocate);
  EXPECT_EQ(first.object_size, 24u);
  EXPECT_EQ(first.address % 64, 0u);
  EXPECT_EQ(owner_thread(first.address), 0u);
  Action second = thread.proceed();
  EXPECT_EQ(second.kind, ActionKind::allocate);
  EXPECT_GE(second.address, first.address + 24 + object_gap);
  Action action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::release);
  EXPECT_EQ(action.object, ObjectKind::stack);
  EXPECT_EQ(action.address, second.address);
  action = thread.proceed();
  EXPECT_EQ(action.address, first.address);
  action = thread.proceed();
  EXPECT_EQ(action.kind, ActionKind::allocate);
  EXPECT_GT(action.address, second.address);  // never reused
  thread.proceed();
  thread.proceed();
  thread.proceed();
  EXPECT_EQ(thread.proceed().kind, ActionKind::finish);
}

TEST(StackObjects, RestoringTheStackEndsWhatWasMadeSince) {
  auto thread = thread_of([](ProgramBuilder&, FunctionBuilder& f) {
    Operand token = f.new_registers();
    f.emit({.op = Opcode::stack_save, .dst = token});
    f.stack_object(8, StackObjectKind::shared_object);
    Operand object = f.stack_object(8, StackObjectKind::private_object);
    f.store(object, f.constant(1), 64);
    f.emit({.op = Opcode::stack_restore, .a = token});
    f.return_values({f.load(object, 64)});
  });
  EXPECT_EQ(thread.run().kind, ActionKind::allocate);
  EXPECT_EQ(thread.proceed().kind, ActionKind::release);
  EXPECT_EQ(thread.proceed().error, ErrorKind::use_after_free);
}

// Answers every access from a byte-wise memory and counts them.
struct SimpleMemory {
  std::map<Address, std::uint8_t> bytes;
  int reads = 0, writes = 0;
  std::vector<Action> others;

  Action run(OneThread& thread) {
    Action action = thread.run();
    for (;;) {
      if (action.kind == ActionKind::read) {
        ++reads;
        Value value;
        for (unsigned i = 0; i < action.size; ++i)
          reinterpret_cast<std::uint8_t*>(&value)[i] = bytes[action.address + i];
        action = thread.supply(value);
      } else if (action.kind == ActionKind::write) {
        ++writes;
        for (unsigned i = 0; i < action.size; ++i)
          bytes[action.address + i] = reinterpret_cast<std::uint8_t*>(&action.value)[i];
        action = thread.proceed();
      } else if (action.kind == ActionKind::allocate || action.kind == ActionKind::release) {
        others.push_back(action);
        action = thread.proceed();
      } else {
        return action;
      }
    }
  }
};

TEST(BlockOperations, CopyUsesTheLargestAlignedElements) {
  Address x = 0;
  auto thread = thread_of([&](ProgramBuilder& program, FunctionBuilder& f) {
    x = program.global("x", 64);
    f.emit({.op = Opcode::memory_copy, .a = f.constant(x + 32), .b = f.constant(x), .c = f.constant(15)});
    f.return_values();
  });
  SimpleMemory memory;
  for (unsigned i = 0; i < 32; ++i) memory.bytes[x + i] = static_cast<std::uint8_t>(i + 1);
  EXPECT_EQ(memory.run(thread).kind, ActionKind::finish);
  EXPECT_EQ(memory.reads, 4);  // 8 + 4 + 2 + 1
  for (unsigned i = 0; i < 15; ++i) EXPECT_EQ(memory.bytes[x + 32 + i], i + 1);
  EXPECT_EQ(memory.bytes[x + 47], 0);
}

TEST(BlockOperations, CopyFollowsTheHint) {
  Address x = 0;
  MachineOptions options;
  options.access_size_hint = [](Address) { return 4u; };
  auto thread = thread_of(
      [&](ProgramBuilder& program, FunctionBuilder& f) {
        x = program.global("x", 64);
        f.emit({.op = Opcode::memory_copy, .a = f.constant(x + 32), .b = f.constant(x), .c = f.constant(16)});
        f.return_values();
      },
      options);
  SimpleMemory memory;
  memory.run(thread);
  EXPECT_EQ(memory.reads, 4);
  EXPECT_EQ(memory.writes, 4);
}

TEST(BlockOperations, MovesOverlappingBlocksBothWays) {
  for (int distance : {-3, 3, -8, 8, 1}) {
    Address x = 0;
    auto thread = thread_of([&](ProgramBuilder& program, FunctionBuilder& f) {
      x = program.global("x", 64) + 16;
      f.emit({.op = Opcode::memory_move,
              .a = f.constant(x + static_cast<Address>(distance)),
              .b = f.constant(x),
              .c = f.constant(21)});
      f.return_values();
    });
    SimpleMemory memory;
    for (unsigned i = 0; i < 21; ++i) memory.bytes[x + i] = static_cast<std::uint8_t>(i + 1);
    memory.run(thread);
    for (unsigned i = 0; i < 21; ++i)
      EXPECT_EQ(memory.bytes[x + static_cast<Address>(distance) + i], i + 1) << distance;
  }
}

TEST(BlockOperations, PrivateMemoryIsCopiedWithItsHoles) {
  auto build = [](std::uint64_t offset) {
    return [=](ProgramBuilder& program, FunctionBuilder& f) {
      Address text = program.constant_text("abcdefgh");
      Operand a = f.stack_object(16, StackObjectKind::private_object),
              b = f.stack_object(16, StackObjectKind::private_object);
      f.emit({.op = Opcode::memory_copy, .a = a, .b = f.constant(text), .c = f.constant(4)});
      f.emit({.op = Opcode::memory_copy, .a = b, .b = a, .c = f.constant(16)});
      f.return_values({f.load(f.binary(Opcode::add, b, f.constant(offset), 64), 32)});
    };
  };
  EXPECT_EQ(thread_of(build(0)).run().value.low, 0x64636261u);
  EXPECT_EQ(error_of(build(1)), ErrorKind::uninitialized);
}

TEST(BlockOperations, SetAndCompare) {
  Address x = 0;
  auto thread = thread_of([&](ProgramBuilder& program, FunctionBuilder& f) {
    x = program.global("x", 32);
    Operand local = f.stack_object(12, StackObjectKind::private_object);
    f.emit({.op = Opcode::memory_set, .a = f.constant(x), .b = f.constant(0x107), .c = f.constant(12)});
    f.emit({.op = Opcode::memory_set, .a = local, .b = f.constant(7), .c = f.constant(12)});
    Operand same = f.library(LibraryCall::memory_compare, {f.constant(x), local, f.constant(12)});
    f.store(f.binary(Opcode::add, local, f.constant(9), 64), f.constant(9), 8);
    Operand less = f.library(LibraryCall::memory_compare, {f.constant(x), local, f.constant(12)});
    Operand more = f.library(LibraryCall::memory_compare, {local, f.constant(x), f.constant(12)});
    Operand none = f.library(LibraryCall::memory_compare, {local, f.constant(x), f.constant(0)});
    Operand sum = f.binary(Opcode::add, f.binary(Opcode::shl, less, f.constant(8), 64), more, 64);
    f.return_values({f.binary(Opcode::add, f.binary(Opcode::add, sum, same, 64), none, 64)});
  });
  SimpleMemory memory;
  EXPECT_EQ(memory.run(thread).value.low, (0xffffffffull << 8) + 1);
  EXPECT_EQ(memory.writes, 2);  // 8 + 4
  EXPECT_EQ(memory.bytes[x + 11], 7);
}

TEST(Heap, AllocationsDependOnlyOnTheThread) {
  auto build = [](ProgramBuilder&, FunctionBuilder& f) {
    Operand a = f.library(LibraryCall::allocate, {f.constant(10)});
    f.library(LibraryCall::allocate_zeroed, {f.constant(0)});
    f.library(LibraryCall::allocate_aligned, {f.constant(256), f.constant(8)});
    f.library(LibraryCall::release, {a});
    f.library(LibraryCall::release, {f.constant(0)});
    f.return_values({f.library(LibraryCall::allocate, {f.constant(1ull << 50)})});
  };
  auto thread = thread_of(build);
  SimpleMemory memory;
  Action action = memory.run(thread);
  EXPECT_EQ(action.kind, ActionKind::finish);
  EXPECT_EQ(action.value.low, 0u);  // no room
  ASSERT_EQ(memory.others.size(), 4u);
  EXPECT_EQ(memory.others[0].object_size, 10u);
  EXPECT_FALSE(memory.others[0].zeroed);
  EXPECT_TRUE(memory.others[1].zeroed);
  EXPECT_GT(memory.others[1].address, memory.others[0].address + 10 + object_gap - 1);
  EXPECT_EQ(memory.others[2].address % 256, 0u);
  EXPECT_EQ(memory.others[3].kind, ActionKind::release);
  EXPECT_EQ(memory.others[3].address, memory.others[0].address);
  EXPECT_EQ(memory.others[3].object, ObjectKind::heap);
}

TEST(Heap, ReallocateCopiesAndReleases) {
  MachineOptions options;
  options.object_size = [](Address) { return std::uint64_t{20}; };
  auto thread = thread_of(
      [](ProgramBuilder&, FunctionBuilder& f) {
        Operand a = f.library(LibraryCall::reallocate, {f.constant(0), f.constant(20)});
        f.emit({.op = Opcode::memory_set, .a = a, .b = f.constant(3), .c = f.constant(20)});
        f.return_values({f.library(LibraryCall::reallocate, {a, f.constant(40)})});
      },
      options);
  SimpleMemory memory;
  Action action = memory.run(thread);
  ASSERT_EQ(memory.others.size(), 3u);
  EXPECT_EQ(action.value.low, memory.others[1].address);
  EXPECT_EQ(memory.others[2].kind, ActionKind::release);
  EXPECT_EQ(memory.others[2].address, memory.others[0].address);
  for (unsigned i = 0; i < 20; ++i) EXPECT_EQ(memory.bytes[action.value.low + i], 3);
  EXPECT_EQ(memory.bytes[action.value.low + 20], 0);
}

TEST(Heap, FreeOfWhatCannotBeAHeapObject) {
  EXPECT_EQ(error_of([](ProgramBuilder&, FunctionBuilder& f) {
              f.library(LibraryCall::release, {f.stack_object(8, StackObjectKind::private_object)});
            }),
            ErrorKind::invalid_free);
}

}  // namespace
}  // namespace heddle::machine
