// The cross-check's own program form: a few threads of operations with forward skips and bounded loops over shared
// integers that start as 0. Small enough to be enumerated by brute force, rich enough to reach every rule of the models
// and every kind of event: all memory orders, read-modify-writes, fences, data, control and addresses from values read,
// mutexes, barriers, heap objects reached through pointers, nondeterministic choice, threads created and joined by
// threads.
//
// Main sets up the barriers, creates every thread that no other thread creates, joins those, and does nothing else.
// Registers are per thread and start as 0. The text form (one operation a line, see parse_program.cpp) is read back by
// parse_program, so that a program which once failed becomes a file in regressions/. Tested in oracle_test.cpp.
#pragma once

#include <optional>
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
  load,  // target = location
  store,  // location = operand
  fetch_add,  // target = location, location = target + operand, atomically
  exchange,  // target = location, location = operand, atomically
  compare_exchange,  // target = location; if it was `expected`, location = `desired`, atomically
  fence,
  skip_if_equal,  // if operand.source == expected, leave out the next `skip` operations
  again,  // go back `skip` operations; the first `expected` times it is reached, then once not, then anew
  lock,  // location is an index into mutexes
  trylock,  // the same; target = 0 if the mutex was taken, 1 if it was held
  unlock,
  wait,  // location is an index into barriers; target = 1 for one thread of a round, 0 for the others
  allocate,  // target = pointer to a new object: one location that starts as 0
  release,  // of the object that operand.source points to
  choose,  // target = `expected`, or ..., or `desired`: the lowest and the highest value
  assume,  // if operand.source != expected, the thread never goes on
  create,  // location is an index into threads
  join,  // the same; only by the thread that created it
};

struct Operation {
  OperationKind kind{};
  int target = 0;  // no_register: the value is dropped (only by `wait`)
  int location = 0;
  int pointer = no_register;  // accesses: where the register points to, instead of `location`
  int index = no_register;  // accesses: the register selects an element of the array that starts at `location`
  Operand operand;
  int expected = 0;
  int desired = 0;
  int skip = 0;
  MemoryOrder order = MemoryOrder::relaxed;
  MemoryOrder failure_order = MemoryOrder::relaxed;

  friend bool operator==(const Operation&, const Operation&) = default;
};

using LitmusThread = std::vector<Operation>;

struct Barrier {
  std::string name;
  int count = 2;

  friend bool operator==(const Barrier&, const Barrier&) = default;
};

// Neighbouring locations that are one object. An index selects the element (index mod size).
struct Array {
  int first = 0;
  int size = 2;  // a power of two, at most 4

  friend bool operator==(const Array&, const Array&) = default;
};

struct LitmusProgram {
  std::vector<std::string> locations;
  std::vector<Array> arrays;
  std::vector<std::string> mutexes;
  std::vector<Barrier> barriers;
  std::vector<LitmusThread> threads;

  friend bool operator==(const LitmusProgram&, const LitmusProgram&) = default;
};

inline constexpr int register_limit = 16;  // registers r0 .. r15
inline constexpr int event_limit = 24;  // events of all threads, as count_events counts them

// Events the operation makes at most: a read-modify-write, a lock and a wait make two.
int count_events(const Operation& operation);
int count_events(const LitmusProgram& program);

// How often the operation is reached at most, for the loops around it.
int count_repetitions(const LitmusThread& thread, std::size_t position);

bool is_read_modify_write(OperationKind kind);
bool accesses_location(OperationKind kind);  // a location or an object, not a mutex
bool writes_register(OperationKind kind);

// The thread that creates this one; none: main does.
std::optional<int> creator_of(const LitmusProgram& program, int thread);

// The array that starts at the location; none: it is no array.
const Array* array_at(const LitmusProgram& program, int location);

// Everything that has an initial write, in one numbering: locations, mutexes, then heap objects. The k-th object that
// thread t allocates has number first_object(t) + k.
int first_mutex(const LitmusProgram& program);
int first_object(const LitmusProgram& program, int thread);
int count_memory(const LitmusProgram& program);
std::string name_of_memory(const LitmusProgram& program, int number);

// What a pointer to an object is as a number. Not an address of the tool; see recorded_key.cpp.
inline constexpr int first_pointer = 1 << 24;
inline constexpr int pointer_distance = 1 << 12;
inline int pointer_to(int number) { return first_pointer + number * pointer_distance; }
std::optional<int> object_at(const LitmusProgram& program, int pointer);

std::string print_program(const LitmusProgram& program);
Result<LitmusProgram> parse_program(const std::string& text, const std::string& file);

}  // namespace heddle::cross_check
