// The flat event record. Kinds and links only: values of a kind an event does not have stay at their defaults.
#pragma once

#include <cstdint>

#include "base/value.h"
#include "graph/labels.h"

namespace heddle::graph {

using EventId = std::uint32_t;
using ThreadId = std::uint32_t;
using LocationId = std::uint32_t;

inline constexpr EventId no_event = 0xffffffff;
inline constexpr LocationId no_location = 0xffffffff;
inline constexpr ThreadId no_thread = 0xffffffff;  // of initial writes

enum class EventKind : std::uint8_t {
  initial,
  read,
  write,
  fence,
  create,
  begin,
  finish,
  join,
  allocate,
  release,
  choice,
  other,
};

struct Event {
  Labels labels = 0;
  EventKind kind = EventKind::other;
  bool revisitable = false;  // a read that a later write may be made to revisit
  bool determined = false;   // a read with exactly one possible source (barrier_leave)
  bool stole = false;        // a lock read that took the mutex before an earlier taker (see explore/lock_order)
  bool special = false;      // the explorer keeps more than the graph in step with it
  ThreadId thread = no_thread;
  std::uint32_t index = 0;   // position in its thread, from 0
  std::uint32_t stamp = 0;   // insertion order; initial writes have 0
  LocationId location = no_location;

  // Reads: the write read from, and the neighbours in that write's list of readers.
  EventId reads_from = no_event;
  EventId next_reader = no_event, previous_reader = no_event;
  // Writes: readers (any order), and neighbours in coherence order.
  EventId first_reader = no_event;
  EventId next_write = no_event, previous_write = no_event;
  // rmw: the other half. create/begin and finish/join: the event at the other end (several joins cannot happen).
  EventId partner = no_event;
  // Neighbours in the order of stamps, among all events that are in the graph.
  EventId older = no_event, newer = no_event;
  // Reads: the same among the reads of the location.
  EventId older_read = no_event, newer_read = no_event;

  Value value;               // read or written; finish: result; choice: chosen value
};

}  // namespace heddle::graph
