// Words that the machine, the explorer and the reports share when they talk about what a program did.
#pragma once

#include <cstdint>

namespace heddle::bytecode {

struct CodePosition {
  std::uint32_t function = 0;     // index into Program::functions
  std::uint32_t instruction = 0;  // index into its code

  friend bool operator==(const CodePosition&, const CodePosition&) = default;
};

// clang-format off
// What a read or write is part of.
enum class AccessKind : std::uint8_t {
  ordinary,
  rmw,              // half of a read-modify-write (the write follows its read at once)
  compare_exchange, // the read of a compare-exchange: it writes only if the value read equals `expected`
  add_between,      // the read of LibraryCall::add_between: it writes only if the value read lies between two others
  lock,             // half of taking a mutex; the read waits until the mutex is free
  trylock,          // half of trying to: the write follows only if the mutex was free
  unlock,           // the write that frees a mutex
  mutex_init,       // the write that sets a mutex up
  mutex_destroy,    // the write that makes it unusable
  barrier_look,     // the read of how many threads a barrier is for
  barrier_arrive,   // half of arriving at a barrier (a read-modify-write)
  barrier_leave,    // the read that waits until `value & await_mask == await_value`
  barrier_init, barrier_destroy,
};

enum class ErrorKind : std::uint8_t {
  assertion, race, use_after_free, double_free, invalid_free, out_of_bounds, uninitialized, null_dereference, deadlock,
  liveness, lock_misuse, barrier_misuse, thread_misuse, division_by_zero, undefined_behavior, memory_leak,
};

// clang-format on
// May the read turn out not to be followed by its write, and then have another memory order?
constexpr bool may_fail(AccessKind access) {
  return access == AccessKind::compare_exchange || access == AccessKind::add_between;
}

enum class ObjectKind : std::uint8_t { heap, stack };

}  // namespace heddle::bytecode
