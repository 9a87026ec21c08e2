// What a thread of the second run does next that others can notice, or why it does not go on. Plain data.
#pragma once

#include <cstdint>
#include <string>

#include "base/memory_order.h"
#include "base/value.h"
#include "bytecode/address_space.h"
#include "bytecode/vocabulary.h"

namespace heddle::validate {

struct Step {
  enum class Kind : std::uint8_t {
    read,      // answered with the value
    write,
    fence,
    allocate,
    release,
    create,    // answered with the new thread's id
    finish,
    meet,
    arrive,
    leave,
    pass,  // waiting at the barrier at `address` for `value` threads
    join,      // answered with the other thread's value
    detach,
    choose,    // answered with a number from low to high
    print,
    loop,      // at the head of a loop; only if asked for (ThreadRun::stop_at_loops)
    blocked,   // an assumption does not hold
    bounded,   // the loop bound is reached
    error,     // the program's own error
    beyond,    // the run is longer or deeper than the validator follows, or unsupported: `text` says which
  };
  Kind kind = Kind::beyond;
  bytecode::AccessKind access = bytecode::AccessKind::ordinary;
  MemoryOrder order = MemoryOrder::plain;
  bool exclusive = false;
  bool of_block = false;            // part of a block operation that copies or fills
  unsigned size = 0;
  bytecode::Address address = 0;
  Value value;                      // write: what; finish: the thread's value; create: the argument
  bytecode::CodePosition position;
  // compare_exchange, the read: what it compares with, and its order if that differs.
  Value expected;
  MemoryOrder order_of_failure = MemoryOrder::plain;
  std::uint64_t awaited_arrivals = 0;  // barrier_leave: the low half of the value it waits for
  std::uint32_t target = 0;            // join, detach
  std::uint32_t function = 0;          // create
  bool c11_thread = false;             // create
  bytecode::ObjectKind object = bytecode::ObjectKind::heap;  // allocate, release
  std::uint64_t object_size = 0;       // allocate
  std::uint32_t object_info = 0;       // allocate
  bool zeroed = false;                 // allocate
  std::int64_t low = 0, high = 0;      // choose, add_between
  bytecode::ErrorKind error{};
  std::string text;                    // assertion: its own; beyond: why
};

}  // namespace heddle::validate
