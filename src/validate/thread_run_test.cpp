// The second interpreter beside the machine, step by step on the same program with the same answers: every step has the
// same kind, place, address, size, order and value. Programs in C are compared, too: frontend/run_program_test.cpp.
#include "validate/thread_run.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "bytecode/builder.h"
#include "bytecode/conventions.h"
#include "machine/machine.h"

namespace heddle::validate {
namespace {

using namespace bytecode;
using machine::Action;
using machine::ActionKind;

using Body = std::function<void(FunctionBuilder&)>;

class SideBySide : public ::testing::Test, public Surroundings {
 protected:
  ProgramBuilder builder;
  RunSettings settings;
  std::string trail;  // a letter for every step of the last run

  // Runs `body` as the only function of the program, by both.
  void run(const Body& body) {
    FunctionBuilder function("f", 1);
    body(function);
    function.return_values({function.constant(7)});
    builder.add(function);
    run_program();
  }

  void run_program() {
    machine::MachineOptions options;
    options.loop_bound = settings.loop_bound;
    options.format_output = settings.output_is_visible;
    options.object_size = [this](Address address) { return object_size(address); };
    machine::Machine machine(builder.program, options);
    machine::ThreadState state = machine.start(0, builder.program.entry, 0, false);
    ThreadRun second(builder.program, settings, *this, 0, builder.program.entry, 0, false);
    std::map<Address, Value> memory;
    std::uint64_t threads = 0;
    trail.clear();
    for (int steps = 0; steps < 1000; ++steps) {
      const Action action = machine.run(state);
      const Step& step = second.step();
      compare(action, step);
      if (HasFailure()) return;
      Value answer;
      switch (step.kind) {
        case Step::Kind::read:
          trail += 'r';
          if (memory.contains(step.address))
            answer = memory[step.address];
          else if (!initial_contents(builder.program, step.address, step.size, answer))
            answer = {};
          if (step.access == AccessKind::barrier_leave) answer.low = step.awaited_arrivals;
          break;
        case Step::Kind::write:
          trail += 'w';
          memory[step.address] = step.value;
          break;
        case Step::Kind::allocate:
          trail += 'a';
          sizes_[step.address] = step.object_size;
          break;
        case Step::Kind::create:
          trail += 'c';
          answer.low = ++threads;
          break;
        case Step::Kind::join: answer.low = 99; break;
        case Step::Kind::choose: answer.low = static_cast<std::uint64_t>(step.high); break;
        case Step::Kind::finish:
        case Step::Kind::error:
        case Step::Kind::blocked:
        case Step::Kind::bounded:
        case Step::Kind::beyond: trail += '.'; return;
        default: trail += 'x';
      }
      machine.supply(state, answer);
      second.answer(answer);
    }
    FAIL() << "the program does not end";
  }

 private:
  static Step::Kind expected_kind(ActionKind kind) {
    switch (kind) {
      case ActionKind::read: return Step::Kind::read;
      case ActionKind::write: return Step::Kind::write;
      case ActionKind::fence: return Step::Kind::fence;
      case ActionKind::allocate: return Step::Kind::allocate;
      case ActionKind::release: return Step::Kind::release;
      case ActionKind::create: return Step::Kind::create;
      case ActionKind::finish:
      case ActionKind::exit: return Step::Kind::finish;
      case ActionKind::join: return Step::Kind::join;
      case ActionKind::detach: return Step::Kind::detach;
      case ActionKind::choose: return Step::Kind::choose;
      case ActionKind::block: return Step::Kind::blocked;
      case ActionKind::bound: return Step::Kind::bounded;
      case ActionKind::print: return Step::Kind::print;
      case ActionKind::error: return Step::Kind::error;
      default: return Step::Kind::beyond;
    }
  }

  static void compare(const Action& action, const Step& step) {
    ASSERT_EQ(step.kind, expected_kind(action.kind));
    EXPECT_EQ(step.position, action.position);
    if (step.kind == Step::Kind::beyond) return;
    EXPECT_EQ(step.address, action.address);
    EXPECT_EQ(step.size, action.size);
    EXPECT_EQ(step.access, action.access);
    EXPECT_EQ(step.order, action.order);
    EXPECT_EQ(step.exclusive, action.exclusive);
    EXPECT_EQ(step.target, action.target);
    EXPECT_EQ(step.value, action.value);
    EXPECT_EQ(step.of_block, action.block_operation);
    if (step.kind == Step::Kind::error) {
      EXPECT_EQ(step.error, action.error);
    }
    if (step.kind == Step::Kind::allocate) {
      EXPECT_EQ(step.object_size, action.object_size);
      EXPECT_EQ(step.object, action.object);
      EXPECT_EQ(step.zeroed, action.zeroed);
    }
    if (step.kind == Step::Kind::create) {
      EXPECT_EQ(step.function, action.function);
    }
    if (step.kind == Step::Kind::choose) {
      EXPECT_EQ(std::pair(step.low, step.high), std::pair(action.low, action.high));
    }
  }

  unsigned next_element(std::uint32_t, Address, Address, bool) override { return 0; }
  std::uint64_t object_size(Address address) override { return sizes_.contains(address) ? sizes_[address] : 0; }

  std::map<Address, std::uint64_t> sizes_;
};

TEST_F(SideBySide, Accesses) {
  const Address x = builder.global("x", 32, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16});
  const Address constant = builder.global("c", 8, {9, 9, 9, 9, 9, 9, 9, 9}, true);
  run([&](FunctionBuilder& f) {
    const Operand wide = f.load(f.constant(x), 128);
    f.store(f.constant(x + 16), wide, 128, MemoryOrder::release);
    const Operand read = f.load(f.constant(constant), 64);
    f.store(f.constant(x), read, 16);
    f.read_modify_write(RmwOp::add, f.constant(x + 4), f.constant(5), 32, MemoryOrder::acquire_release);
    for (const std::uint64_t expected : {10u, 11u}) {
      const Operand seen = f.compare_exchange(f.constant(x + 4), f.constant(expected), f.constant(77), 32,
                                              MemoryOrder::seq_cst, MemoryOrder::relaxed);
      f.store(f.constant(x + 8), f.binary(Opcode::add, seen, seen + 1, 64), 64);
    }
    f.fence(MemoryOrder::seq_cst);
    const Operand local = f.stack_object(8, StackObjectKind::private_object);
    f.store(local, f.constant(3), 32);
    f.read_modify_write(RmwOp::bit_or, local, f.constant(8), 32, MemoryOrder::relaxed);
    f.store(f.constant(x), f.load(local, 32), 32);
  });
  EXPECT_EQ(trail, "rwwrwrwrwxw.");
}

TEST_F(SideBySide, Blocks) {
  const Address x = builder.global("x", 64), y = builder.global("y", 64, {1, 2, 3, 4, 5, 6, 7});
  run([&](FunctionBuilder& f) {
    const Operand local = f.stack_object(32, StackObjectKind::private_object);
    const auto block = [&](Opcode op, Operand a, Operand b, std::uint64_t size) {
      f.emit({.op = op, .a = a, .b = b, .c = f.constant(size)});
    };
    block(Opcode::memory_set, f.constant(x + 1), f.constant(0x1ab), 13);
    block(Opcode::memory_copy, f.constant(x), f.constant(y), 15);
    block(Opcode::memory_copy, local, f.constant(y + 2), 7);
    block(Opcode::memory_set, local, f.constant(3), 2);
    block(Opcode::memory_copy, f.constant(y + 16), local, 9);
    block(Opcode::memory_move, f.constant(x + 3), f.constant(x), 12);
    block(Opcode::memory_move, f.constant(x), f.constant(x + 3), 12);
    block(Opcode::memory_move, f.constant(x), f.constant(x), 0);
    const Operand order = f.library(LibraryCall::memory_compare, {f.constant(x), f.constant(y), f.constant(12)});
    f.store(f.constant(y + 32), order, 32);
    f.load(local + 0, 64);
  });
  EXPECT_GT(trail.size(), 30u);
}

TEST_F(SideBySide, HeapAndStack) {
  const Address x = builder.global("x", 8);
  run([&](FunctionBuilder& f) {
    const Operand block = f.library(LibraryCall::allocate, {f.constant(24)});
    f.store(block, f.constant(5), 64);
    const Operand bigger = f.library(LibraryCall::reallocate, {block, f.constant(100)});
    f.library(LibraryCall::reallocate, {f.constant(0), f.constant(1)});
    f.library(LibraryCall::allocate_aligned, {f.constant(256), f.constant(3)});
    f.library(LibraryCall::allocate_zeroed, {f.constant(0)});
    f.store(f.constant(x), f.library(LibraryCall::allocate, {f.constant(std::uint64_t{1} << 40)}), 64);
    f.library(LibraryCall::release, {f.constant(0)});
    const Operand token = f.new_registers();
    f.emit({.op = Opcode::stack_save, .dst = token});
    f.stack_object(8, StackObjectKind::shared_object);
    f.stack_object(2000000, StackObjectKind::private_object, 64);  // more than a thread may have
    f.emit({.op = Opcode::stack_restore, .a = token});
    f.stack_object(16, StackObjectKind::shared_object, 4096);
    f.library(LibraryCall::reallocate, {bigger, f.constant(0)});
    f.store(f.constant(x), f.stack_object(3, StackObjectKind::private_object, 64), 64);
  });
  EXPECT_EQ(trail.substr(0, 4), "awar");
}

TEST_F(SideBySide, ThreadsMutexesAndBarriers) {
  std::vector<std::uint8_t> recursive(40);
  recursive[mutex_kind_offset] = recursive_mutex;
  const Address m = builder.global("m", 40), r = builder.global("r", 40, recursive), b = builder.global("b", 32);
  const Address x = builder.global("x", 32);
  run([&](FunctionBuilder& f) {
    const auto keep = [&](Operand value) { f.store(f.constant(x + 8), value, 64); };
    for (const LibraryCall create : {LibraryCall::thread_create, LibraryCall::thread_create_c11})
      f.library(create, {f.constant(x), f.constant(address_of_function(0)), f.constant(3)});
    f.library(LibraryCall::thread_join, {f.constant(2), f.constant(x)});
    f.library(LibraryCall::thread_join_c11, {f.constant(3), f.constant(x + 24)});
    f.library(LibraryCall::thread_detach, {f.constant(4)});
    keep(f.library(LibraryCall::thread_self));
    f.library(LibraryCall::mutex_init, {f.constant(m), f.constant(checking_mutex)});
    for (const LibraryCall call : {LibraryCall::mutex_lock, LibraryCall::mutex_lock, LibraryCall::mutex_trylock,
                                   LibraryCall::mutex_unlock, LibraryCall::mutex_unlock})
      keep(f.library(call, {f.constant(m)}));
    for (const LibraryCall call : {LibraryCall::mutex_lock, LibraryCall::mutex_lock, LibraryCall::mutex_unlock,
                                   LibraryCall::mutex_unlock, LibraryCall::mutex_trylock})
      keep(f.library(call, {f.constant(r)}));
    f.library(LibraryCall::mutex_destroy, {f.constant(m)});
    for (const std::uint64_t count : {1u, 2u}) {
      f.library(LibraryCall::barrier_init, {f.constant(b), f.constant(count)});
      keep(f.library(LibraryCall::barrier_wait, {f.constant(b)}));
    }
    f.library(LibraryCall::barrier_destroy, {f.constant(b)});
    keep(f.library(LibraryCall::choose, {f.constant(0xfe), f.constant(3), f.constant(8)}));
    f.library(LibraryCall::assume, {f.constant(1)});
    f.library(LibraryCall::yield_thread);
    f.library(LibraryCall::exit_program, {f.constant(4)});
  });
  EXPECT_GT(trail.size(), 40u);
}

TEST_F(SideBySide, Output) {
  settings.output_is_visible = true;
  const Address text = builder.constant_text("%d and %s"), word = builder.constant_text("word"),
                x = builder.global("x", 64);
  run([&](FunctionBuilder& f) {
    const Operand printed =
        f.library(LibraryCall::print, {f.constant(1), f.constant(text), f.constant(12), f.constant(word)});
    f.store(f.constant(x), printed, 32);
    f.library(LibraryCall::put_string, {f.constant(word), f.constant(1)});
    f.library(LibraryCall::put_character, {f.constant('a')});
    const Operand made = f.library(LibraryCall::format_to_buffer, {f.constant(x + 8), f.constant(6), f.constant(text),
                                                                   f.constant(12), f.constant(word)});
    f.store(f.constant(x + 32), made, 32);
  });
  EXPECT_EQ(trail, "xwxxwwwwwww.");
}

// One program each, all of which end in an error.
TEST_F(SideBySide, Errors) {
  const Address x = builder.global("x", 16), constant = builder.global("c", 8, {}, true);
  const Address m = builder.global("m", 40);
  const auto at = [](std::uint64_t address) {
    return [address](FunctionBuilder& f) { f.load(f.constant(address), 32); };
  };
  const auto library = [](LibraryCall call, std::vector<std::uint64_t> arguments) {
    return [=](FunctionBuilder& f) {
      std::vector<Operand> operands;
      for (const std::uint64_t argument : arguments) operands.push_back(f.constant(argument));
      f.library(call, operands);
    };
  };
  const auto local = [](std::uint64_t offset, bool store) {
    return [=](FunctionBuilder& f) {
      const Operand object = f.stack_object(8, StackObjectKind::private_object);
      const Operand address = f.binary(Opcode::add, object, f.constant(offset), 64);
      if (store)
        f.store(address, f.constant(1), 32);
      else
        f.load(address, 32);
    };
  };
  const auto divide = [](Opcode op, std::uint64_t a, std::uint64_t b) {
    return [=](FunctionBuilder& f) { f.binary(op, f.constant(a), f.constant(b)); };
  };
  const Body bodies[] = {
      at(8),
      at(null_page_end + 8),
      at(address_end),
      at(functions_begin),
      at(constant + 6),
      local(0, false),
      local(6, true),
      local(100000, true),
      local(5000, false),
      divide(Opcode::udiv, 1, 0),
      divide(Opcode::srem, 1, 0),
      divide(Opcode::sdiv, 0x80000000, 0xffffffff),
      [&](FunctionBuilder& f) { f.store(f.constant(constant), f.constant(1), 32); },
      [&](FunctionBuilder& f) { f.store(f.constant(8), f.constant(1), 32); },
      [&](FunctionBuilder& f) { f.load(f.constant(x + 1), 32, MemoryOrder::acquire); },
      [&](FunctionBuilder& f) { f.store(f.constant(x + 2), f.constant(1), 32, MemoryOrder::release); },
      [&](FunctionBuilder& f) { f.call_indirect(f.constant(8), {}); },
      [&](FunctionBuilder& f) { f.call_indirect(f.constant(x), {}); },
      [&](FunctionBuilder& f) { f.call_indirect(f.constant(address_of_function(0)), {}); },
      [&](FunctionBuilder& f) { f.emit({.op = Opcode::unreachable}); },
      library(LibraryCall::release, {privates_begin}),
      library(LibraryCall::reallocate, {12345, 4}),
      library(LibraryCall::mutex_unlock, {m}),
      library(LibraryCall::barrier_init, {m, 0}),
      library(LibraryCall::barrier_wait, {m}),
      library(LibraryCall::thread_join, {0, 0}),
      library(LibraryCall::thread_create, {x, x, 0}),
      library(LibraryCall::thread_create, {0, address_of_function(0), 0}),
      library(LibraryCall::choose, {3, 2, 32}),
      library(LibraryCall::assertion_failed, {constant}),
      library(LibraryCall::abort_program, {}),
      [&](FunctionBuilder& f) {
        f.library(LibraryCall::mutex_destroy, {f.constant(m)});
        f.library(LibraryCall::mutex_lock, {f.constant(m)});
      },
      [&](FunctionBuilder& f) {
        f.library(LibraryCall::mutex_lock, {f.constant(m)});
        f.library(LibraryCall::mutex_destroy, {f.constant(m)});
      },
      [&](FunctionBuilder& f) {
        const Operand mutex = f.stack_object(40, StackObjectKind::private_object);
        f.library(LibraryCall::mutex_init, {mutex, f.constant(0)});
        f.library(LibraryCall::mutex_lock, {mutex});
        f.library(LibraryCall::mutex_lock, {mutex});
      },
      [&](FunctionBuilder& f) {
        const Operand barrier = f.stack_object(32, StackObjectKind::private_object);
        f.library(LibraryCall::barrier_init, {barrier, f.constant(2)});
        f.library(LibraryCall::barrier_wait, {barrier});
      },
  };
  const std::vector<Global> globals = builder.program.globals;
  for (std::size_t i = 0; i < std::size(bodies); ++i) {
    SCOPED_TRACE("program " + std::to_string(i));
    builder = ProgramBuilder();
    builder.program.globals = globals;
    run(bodies[i]);
    ASSERT_FALSE(trail.empty());
    EXPECT_EQ(trail.back(), '.');
  }
}

TEST_F(SideBySide, CallsLoopsAndTheEndOfThreads) {
  const Address x = builder.global("x", 8);
  FunctionBuilder first("first"), callee("callee", 2), last("last", 1);
  first.stack_object(8, StackObjectKind::shared_object);
  const Operand sum = first.call(1, {first.constant(3), first.constant(4)});
  first.store(first.constant(x), sum, 32);
  const auto loop = first.new_label(), done = first.new_label();
  const Operand counter = first.new_registers(), index = first.new_registers();
  first.emit({.op = Opcode::loop_begin, .dst = counter});
  first.move(index, first.constant(0));
  first.bind(loop);
  first.store(first.constant(x), index, 32);
  first.move(index, first.binary(Opcode::add, index, first.constant(1)));
  first.emit({.op = Opcode::loop_iterate, .dst = counter, .d = 0});
  first.branch(first.binary(Opcode::unsigned_less, index, first.constant(3)), loop, done);
  first.bind(done);
  first.library(LibraryCall::thread_exit, {sum});
  first.return_values({});
  callee.stack_object(4, StackObjectKind::shared_object);
  callee.stack_object(4, StackObjectKind::shared_object);
  callee.return_values({callee.binary(Opcode::add, 0, 1)});
  last.store(last.constant(x), 0, 32);
  last.return_values({last.binary(Opcode::add, 0, last.constant(1))});
  builder.add(first);
  builder.add(callee);
  builder.add(last);
  builder.program.at_thread_end = 2;
  run_program();
  EXPECT_EQ(trail, "aaaxxwwwwxw.");
  settings.loop_bound = 2;
  run_program();
  EXPECT_EQ(trail, "aaaxxwww.");
}

}  // namespace
}  // namespace heddle::validate
