// One execution as plain data: what explore hands to report. Addresses and code positions are raw; bytecode::Program
// turns them into names and source lines.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/memory_order.h"
#include "base/value.h"
#include "bytecode/address_space.h"
#include "bytecode/vocabulary.h"

namespace heddle::bytecode {

enum class RecordedKind : std::uint8_t {
  read,
  write,
  fence,
  create,
  begin,
  finish,
  join,
  allocate,
  release,
  meet,
  arrive,
  leave,
  pass,  // waiting at a barrier, if the order of arrivals is not explored (conventions.h)
  choice,
  print,
  other,
};

inline constexpr std::uint32_t initial_write = 0xffffffff;  // as RecordedEvent::reads_from

struct RecordedEvent {
  std::uint32_t thread = 0;
  std::uint32_t index = 0;              // position in its thread
  RecordedKind kind = RecordedKind::other;
  AccessKind access = AccessKind::ordinary;
  MemoryOrder order = MemoryOrder::plain;
  bool exclusive = false;               // half of a read-modify-write
  std::uint8_t size = 0;
  Address address = 0;
  Value value;
  CodePosition position;
  std::optional<std::uint32_t> reads_from;  // reads: index into RecordedExecution::events, or initial_write
  std::uint32_t coherence_rank = 0;     // writes: 1 for the first write of the location after its initial one, ...
  std::uint32_t other_thread = 0;       // create, join: which thread
  std::optional<std::uint32_t> after;   // joins and barriers: the event of another thread that must come before it
  std::uint32_t object = 0;             // allocate, release: index into RecordedExecution::objects
};

struct RecordedObject {
  Address address = 0;
  std::uint64_t size = 0;
  ObjectKind kind = ObjectKind::heap;
  std::uint32_t thread = 0;             // the one that made it
  std::uint32_t info = 0;               // stack objects: index into Program::objects_of_code
  CodePosition allocated;
  std::optional<CodePosition> released;
};

struct RecordedThread {
  std::uint32_t id = 0;
  std::uint32_t function = 0;           // index into Program::functions
  std::optional<std::uint32_t> creator; // none for the main thread
  CodePosition created;
};

struct RecordedExecution {
  std::vector<RecordedThread> threads;  // thread i has id i
  std::vector<RecordedEvent> events;    // in the order in which they were added: respects program order and, except
                                      // for reads revisited by a later write, reads-from
  std::vector<RecordedObject> objects;
};

// What a thread waits for, in a deadlock or beside a loop that never ends.
struct RecordedWait {
  std::uint32_t thread = 0;
  CodePosition position;
  enum class For : std::uint8_t {
    mutex,
    thread,
    barrier,
    change,  // of what its loop reads: it spins
    library,  // in a blocking function of the library, see WatchedLoop::waits_for
  } waits_for = For::mutex;
  Address address = 0;  // of the mutex or barrier
  std::optional<std::uint32_t> other_thread;  // who holds the mutex, or the thread to join
};

// An error of the checked program.
struct Violation {
  ErrorKind kind{};
  std::string message;  // one sentence without names of variables, e.g. the text of the assertion
  std::uint32_t thread = 0;
  CodePosition position;  // where it happened
  Address address = 0;  // the address concerned, or 0
  std::uint8_t size = 0;
  std::vector<std::uint32_t> events;  // the events concerned, indices into execution.events, most important first
  std::vector<RecordedWait> waits;  // deadlock, liveness
  std::vector<std::uint32_t> path;  // the choices that lead here; replays it
  RecordedExecution execution;
  bool validated = false;  // confirmed by a second run of the program and by the literal text of the model
};

}  // namespace heddle::bytecode
