// What a thread wants to do next, with where in the source. The machine yields actions; the explorer answers some of
// them with a value (see `Machine::supply`). Plain data.
#pragma once

#include <cstdint>
#include <string>

#include "base/memory_order.h"
#include "base/value.h"
#include "bytecode/address_space.h"
#include "bytecode/conventions.h"
#include "bytecode/vocabulary.h"

namespace heddle::machine {

using ThreadId = std::uint32_t;

// clang-format off
enum class ActionKind : std::uint8_t {
  read,             // answered with the value read
  write,
  fence,
  allocate,         // a heap or (shared) stack object of `size` bytes at `address` comes to life
  release,          // the object at `address` dies (heap: free; stack: its function returned)
  create,           // a new thread runs `function`(`value.low`); answered with its id
  finish,           // the thread ends with `value`
  // Waiting at the barrier at `address` for `value` threads, in this order. Only `leave` waits.
  meet, arrive, leave, pass,
  join,             // waits for thread `target` to finish; answered with the value it finished with
  detach,           // of thread `target`
  choose,           // answered with one of `low` .. `high`
  block,            // an assumption failed: the thread never goes on
  bound,            // the loop bound was reached on a back edge: the thread never goes on
  spin,             // a loop came back to where it was after `iteration` actions that changed nothing
  round,            // the same, but for updates and critical sections, which may have cancelled out; no event, no answer
  print,            // the program's own output, in `text`; no answer
  exit,             // the whole program ends, with status `value`
  error,            // an error of the checked program: `error` says which, `text` says more
  unsupported,      // something Heddle cannot run: `text` names it
  call_limit,       // calls are nested more deeply than the machine allows
  step_limit,       // the thread ran too long without a visible action
};

// clang-format on

using bytecode::AccessKind;
using bytecode::CodePosition;
using bytecode::ErrorKind;
using bytecode::ObjectKind;

using bytecode::mutex_held_mask;
using bytecode::mutex_word_size;

// One cache line: the explorer keeps the action of every event.
struct Action {
  ActionKind kind{};
  AccessKind access = AccessKind::ordinary;
  MemoryOrder order = MemoryOrder::plain;
  MemoryOrder failure_order = MemoryOrder::plain;  // of a compare-exchange that fails
  ErrorKind error{};
  ObjectKind object = ObjectKind::heap;
  bool exclusive = false;    // read or write half of a read-modify-write, lock or barrier arrival
  bool zeroed = false;       // allocate: the object starts as zeroes, else uninitialised
  bool block_operation = false;  // read, write: part of copying a block: reading uninitialised padding is no error
  bool c11_thread = false;   // create: by thrd_create
  std::uint8_t size = 0;     // read, write: bytes, 1 .. 16
  bool blind = false;        // write: adds a number to what was read, and nobody gets to know the sum
  ThreadId target = 0;       // join, detach
  CodePosition position;
  bytecode::Address address = 0;
  Value value;               // write: what; finish: the thread's value; create: the argument; exit: the status
  union {                    // which one is there depends on `kind` and `access`
    Value expected{};        // compare_exchange
    struct {                 // barrier_leave
      std::uint64_t await_mask, await_value;
    };
    struct {                 // choose, add_between
      std::int64_t low, high;
    };
    struct {                 // allocate
      std::uint64_t object_size;
      std::uint32_t object_info;     // of stack objects: index into Program::objects_of_code
    };
    std::uint32_t function;          // create: index into Program::functions
    std::uint32_t iteration;         // spin, round: how many of the thread's last actions belong to the iteration
    const std::string* text;         // print, error, unsupported; owned by the machine, lives as long as it does
  };
};

static_assert(sizeof(Action) == 64);

}  // namespace heddle::machine
