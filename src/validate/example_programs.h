// Small programs with one error each, made without any front end: what the validator's tests confirm and damage.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bytecode/builder.h"
#include "bytecode/vocabulary.h"

namespace heddle::validate {

struct ExampleProgram {
  std::string name;
  bytecode::ErrorKind error{};
  bytecode::Program program;
  bool only_in_weak_models = false;
};

class ExampleMaker {
 public:
  using Address = bytecode::Address;
  using ErrorKind = bytecode::ErrorKind;
  using Function = bytecode::FunctionBuilder;
  using LibraryCall = bytecode::LibraryCall;
  using Opcode = bytecode::Opcode;
  using Operand = bytecode::Operand;
  using Body = std::function<void(Function&)>;

  std::vector<ExampleProgram> all() {
    add_assertions();
    add_races();
    add_memory_errors();
    add_misuse();
    return std::move(examples_);
  }

 private:
  struct Places {
    Address x = 0, y = 0, pointer = 0, mutex = 0, other_mutex = 0, barrier = 0, text = 0;
  };

  // main runs `first`, creates a thread for each body, joins them, and runs `last`.
  void add(const std::string& name, ErrorKind error, const Body& first, const std::vector<Body>& threads,
           const Body& last, bool weak = false) {
    bytecode::ProgramBuilder builder;
    at_ = {builder.global("x", 4),
           builder.global("y", 4),
           builder.global("pointer", 8),
           builder.global("mutex", 40),
           builder.global("other", 40),
           builder.global("barrier", 32),
           builder.constant_text("as it should be")};
    Function main("main");
    first(main);
    std::vector<Operand> handles;
    for (std::uint32_t i = 0; i < threads.size(); ++i) {
      handles.push_back(main.stack_object(8, bytecode::StackObjectKind::private_object));
      main.library(LibraryCall::thread_create,
                   {handles.back(), main.constant(bytecode::address_of_function(i + 1)), main.constant(i)});
    }
    for (const Operand handle : handles)
      main.library(LibraryCall::thread_join, {main.load(handle, 64), main.constant(0)});
    last(main);
    main.return_values({main.constant(0)});
    builder.add(main);
    for (const Body& body : threads) {
      Function thread("thread", 1);
      body(thread);
      thread.return_values({thread.constant(5)});
      builder.add(thread);
    }
    examples_.push_back({name, error, std::move(builder.program), weak});
  }
  static void nothing(Function&) {}

  // Fails unless the value is the expected one.
  void check(Function& f, Operand value, std::uint64_t expected) const {
    const auto fails = f.new_label(), fine = f.new_label();
    f.branch(f.binary(Opcode::equal, value, f.constant(expected)), fine, fails);
    f.bind(fails);
    f.library(LibraryCall::assertion_failed, {f.constant(at_.text)});
    f.bind(fine);
  }

  void add_assertions() {
    add("message passing", ErrorKind::assertion, nothing,
        {[&](Function& f) {
           f.store(f.constant(at_.x), f.constant(42), 32, MemoryOrder::relaxed);
           f.store(f.constant(at_.y), f.constant(1), 32, MemoryOrder::relaxed);
         },
         [&](Function& f) {
           const auto read = f.new_label(), done = f.new_label();
           f.branch(f.load(f.constant(at_.y), 32, MemoryOrder::relaxed), read, done);
           f.bind(read);
           check(f, f.load(f.constant(at_.x), 32, MemoryOrder::relaxed), 42);
           f.bind(done);
         }},
        nothing, true);
    const Body increment = [&](Function& f) {
      const Operand old = f.load(f.constant(at_.x), 32, MemoryOrder::acquire);
      f.fence(MemoryOrder::seq_cst);
      f.store(f.constant(at_.x), f.binary(Opcode::add, old, f.constant(1)), 32, MemoryOrder::release);
    };
    add("lost update", ErrorKind::assertion, nothing, {increment, increment},
        [&](Function& f) { check(f, f.load(f.constant(at_.x), 32, MemoryOrder::relaxed), 2); });
    const Body update = [&](Function& f) {
      const Operand step = f.library(LibraryCall::choose, {f.constant(1), f.constant(2), f.constant(32)});
      f.read_modify_write(bytecode::RmwOp::add, f.constant(at_.x), step, 32, MemoryOrder::acquire_release);
      f.compare_exchange(f.constant(at_.y), f.constant(0), step, 32, MemoryOrder::seq_cst, MemoryOrder::relaxed);
    };
    add("updates", ErrorKind::assertion, nothing, {update, update},
        [&](Function& f) { check(f, f.load(f.constant(at_.x), 32, MemoryOrder::relaxed), 2); });
    add("division", ErrorKind::division_by_zero, nothing,
        {[&](Function& f) { f.store(f.constant(at_.x), f.constant(1), 32, MemoryOrder::relaxed); },
         [&](Function& f) {
           const Operand divisor = f.load(f.constant(at_.x), 32, MemoryOrder::relaxed);
           f.binary(Opcode::udiv, f.constant(10), divisor);
         }},
        nothing);
  }

  void add_races() {
    const Body write = [&](Function& f) { f.store(f.constant(at_.x), f.constant(7), 32); };
    add("race of writes", ErrorKind::race, nothing,
        {write,
         [&](Function& f) {
           f.store(f.constant(at_.y), f.constant(1), 32);
           f.store(f.constant(at_.x), f.constant(8), 32);
         }},
        nothing);
    add("race with an atomic read", ErrorKind::race, nothing,
        {write, [&](Function& f) { f.load(f.constant(at_.x), 32, MemoryOrder::seq_cst); }}, nothing);
    add("race of a copy", ErrorKind::race, nothing,
        {write,
         [&](Function& f) {
           const Operand local = f.stack_object(4, bytecode::StackObjectKind::private_object);
           f.emit({.op = Opcode::memory_copy, .a = local, .b = f.constant(at_.x), .c = f.constant(4)});
         }},
        nothing);
  }

  void allocate(Function& f, LibraryCall call = LibraryCall::allocate) const {
    f.store(f.constant(at_.pointer), f.library(call, {f.constant(16)}), 64, MemoryOrder::relaxed);
  }
  Operand pointer(Function& f) const { return f.load(f.constant(at_.pointer), 64, MemoryOrder::relaxed); }

  void add_memory_errors() {
    const Body make = [&](Function& f) { allocate(f, LibraryCall::allocate_zeroed); };
    const Body release = [&](Function& f) { f.library(LibraryCall::release, {pointer(f)}); };
    const Body use = [&](Function& f) { f.store(pointer(f), f.constant(1), 32, MemoryOrder::relaxed); };
    add("use after free", ErrorKind::use_after_free, make, {release}, use);
    add("use beside free", ErrorKind::use_after_free, make, {release, use}, nothing);
    add("double free", ErrorKind::double_free, make, {release, release}, nothing);
    add("free of the middle", ErrorKind::invalid_free, make,
        {[&](Function& f) { f.library(LibraryCall::release, {f.binary(Opcode::add, pointer(f), f.constant(8), 64)}); }},
        nothing);
    add("beyond the end", ErrorKind::out_of_bounds, make,
        {[&](Function& f) { f.load(f.binary(Opcode::add, pointer(f), f.constant(16), 64), 32); }}, release);
    add(
        "never written", ErrorKind::uninitialized, [&](Function& f) { allocate(f); },
        {[&](Function& f) { f.load(pointer(f), 32); }}, nothing);
    add("null pointer", ErrorKind::null_dereference, nothing, {make, [&](Function& f) { f.load(pointer(f), 32); }},
        nothing);
    add("end of a function", ErrorKind::use_after_free, nothing, {[&](Function& f) {
          const Operand local = f.stack_object(4, bytecode::StackObjectKind::shared_object);
          f.store(local, f.constant(3), 32);
          f.store(f.constant(at_.pointer), local, 64, MemoryOrder::relaxed);
        }},
        [&](Function& f) { f.load(pointer(f), 32); });
  }

  void take_both(Function& f, Address first, Address second) const {
    f.library(LibraryCall::mutex_lock, {f.constant(first)});
    f.library(LibraryCall::mutex_lock, {f.constant(second)});
    f.library(LibraryCall::mutex_unlock, {f.constant(second)});
    f.library(LibraryCall::mutex_unlock, {f.constant(first)});
  }

  void add_misuse() {
    add("mutexes in two orders", ErrorKind::deadlock, nothing,
        {[&](Function& f) { take_both(f, at_.mutex, at_.other_mutex); },
         [&](Function& f) { take_both(f, at_.other_mutex, at_.mutex); }},
        nothing);
    const Body wait = [&](Function& f) { f.library(LibraryCall::barrier_wait, {f.constant(at_.barrier)}); };
    add(
        "too few at a barrier", ErrorKind::deadlock,
        [&](Function& f) { f.library(LibraryCall::barrier_init, {f.constant(at_.barrier), f.constant(3)}); },
        {wait, wait}, nothing);
    add(
        "barrier set up twice", ErrorKind::barrier_misuse,
        [&](Function& f) { f.library(LibraryCall::barrier_init, {f.constant(at_.barrier), f.constant(2)}); },
        {wait, wait},
        [&](Function& f) { f.library(LibraryCall::barrier_init, {f.constant(at_.barrier), f.constant(2)}); });
    add("held mutex destroyed", ErrorKind::lock_misuse, nothing,
        {[&](Function& f) { f.library(LibraryCall::mutex_lock, {f.constant(at_.mutex)}); }},
        [&](Function& f) { f.library(LibraryCall::mutex_destroy, {f.constant(at_.mutex)}); });
    add(
        "mutex of another", ErrorKind::lock_misuse,
        [&](Function& f) { f.library(LibraryCall::mutex_lock, {f.constant(at_.mutex)}); },
        {[&](Function& f) { f.library(LibraryCall::mutex_unlock, {f.constant(at_.mutex)}); }}, nothing);
    add("joined twice", ErrorKind::thread_misuse, nothing, {nothing},
        [](Function& f) { f.library(LibraryCall::thread_join, {f.constant(2), f.constant(0)}); });
  }

  Places at_;
  std::vector<ExampleProgram> examples_;
};

inline std::vector<ExampleProgram> example_programs() { return ExampleMaker().all(); }

}  // namespace heddle::validate
