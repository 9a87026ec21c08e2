// The cross-check's own program form: a few threads of straight-line operations with forward skips over shared integers
// that start as 0. Small enough to be enumerated by brute force, rich enough to reach every rule of the models: all
// memory orders, read-modify-writes, fences, data and control flow from values read, mutexes.
//
// Main creates every thread, then joins every thread, and does nothing else. Registers are per thread and start as 0.
// The text form (one operation a line, see print_program) is read back by parse_program, so that a program which once
// failed becomes a file in regressions/. Tested in oracle_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "base/memory_order.h"

namespace heddle::cross_check {

inline constexpr int no_register = -1;

// (register, or 0 without one) + constant.
struct Operand {
  int source = no_register;
  int constant = 0;

  friend bool operator==(const Operand&, const Operand&) = default;
};

enum class OperationKind {
  load,              // target = location
  store,             // location = operand
  fetch_add,         // target = location, location = target + operand, atomically
  exchange,          // target = location, location = operand, atomically
  compare_exchange,  // target = location; if it was `expected`, location = `desired`, atomically
  fence,
  skip_if_equal,     // if operand.source == expected, leave out the next `skip` operations
  lock,              // location is an index into mutexes
  unlock,
};

struct Operation {
  OperationKind kind{};
  int target = 0;
  int location = 0;
  Operand operand;
  int expected = 0;
  int desired = 0;
  int skip = 0;
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryOrder failure_order = MemoryOrder::relaxed;

  friend bool operator==(const Operation&, const Operation&) = default;
};

using LitmusThread = std::vector<Operation>;

struct LitmusProgram {
  std::vector<std::string> locations;
  std::vector<std::string> mutexes;
  std::vector<LitmusThread> threads;

  friend bool operator==(const LitmusProgram&, const LitmusProgram&) = default;
};

inline constexpr int register_limit = 16;  // registers r0 .. r15
inline constexpr int event_limit = 24;     // events of all threads, as count_events counts them

// Events the operation makes at most: a read-modify-write and a lock make two.
int count_events(const Operation& operation);
int count_events(const LitmusProgram& program);

bool is_read_modify_write(OperationKind kind);
bool accesses_location(OperationKind kind);  // a location, not a mutex
bool writes_register(OperationKind kind);

std::string print_program(const LitmusProgram& program);
Result<LitmusProgram> parse_program(const std::string& text, const std::string& file);

}  // namespace heddle::cross_check
