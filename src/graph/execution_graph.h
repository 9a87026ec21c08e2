// The execution graph: events, program order, reads-from, coherence, and views (vector clocks), changed in place.
// Knows nothing about programs or models.
//
// Undo. Every change is its own inverse's mirror and must be undone in reverse order (Knuth's dancing links): an
// unlinked event keeps its own links, so relinking is O(1). The explorer records the changes on its trail.
//
// Invariants (re-checked by graph_invariants.h): threads are lists of live events with increasing indices and stamps;
// every live read with a source is in that source's reader list; the writes of a location form one doubly linked list
// that starts with its initial write; partner links are symmetric.
//
// Events of a location are only linked into coherence by `place_write`; a write that was added but not yet placed has
// `placed(e) == false`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/value.h"
#include "graph/event.h"

namespace heddle::graph {

struct Location {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  EventId initial = no_event;   // its initial write: head of the coherence order
  EventId last_write = no_event;  // tail of the coherence order
  std::uint32_t plain_accesses = 0;  // live non-atomic accesses, so that race checks can be skipped
};

// A set of events closed under program order: per thread, how many of its first events belong to it.
// Initial writes belong to every view.
using View = std::span<std::uint32_t>;
using ConstView = std::span<const std::uint32_t>;

class ExecutionGraph {
 public:
  // `views`: how many views every event carries. View 0 is always the causal one: (program order | reads-from |
  // create | join)+, including the event itself.
  explicit ExecutionGraph(unsigned views);

  unsigned view_count() const { return view_count_; }
  unsigned thread_count() const { return static_cast<unsigned>(threads_.size()); }
  unsigned thread_capacity() const { return stride_; }

  Event& operator[](EventId e) { return events_[e]; }
  const Event& operator[](EventId e) const { return events_[e]; }
  std::size_t event_capacity() const { return events_.size(); }  // every id is below this

  const std::vector<EventId>& events_of(ThreadId t) const { return threads_[t]; }
  EventId last_of(ThreadId t) const { return threads_[t].empty() ? no_event : threads_[t].back(); }
  EventId po_previous(EventId e) const {
    const Event& event = events_[e];
    return event.index == 0 || event.thread == no_thread ? no_event : threads_[event.thread][event.index - 1];
  }
  EventId po_next(EventId e) const {
    const Event& event = events_[e];
    if (event.thread == no_thread) return no_event;
    const auto& list = threads_[event.thread];
    return event.index + 1 < list.size() ? list[event.index + 1] : no_event;
  }

  Location& location(LocationId id) { return locations_[id]; }
  const Location& location(LocationId id) const { return locations_[id]; }
  std::size_t location_count() const { return locations_.size(); }
  // Makes a location with its initial write; locations are never removed.
  LocationId add_location(std::uint64_t address, std::uint8_t size, Value initial);

  // True if the write is in coherence order.
  bool placed(EventId w) const {
    return events_[w].previous_write != no_event || events_[w].kind == EventKind::initial;
  }

  // Views of an event. contains(v, e): e is in v.
  View view(unsigned which, EventId e) { return {&views_[(std::size_t{e} * view_count_ + which) * stride_], stride_}; }
  ConstView view(unsigned which, EventId e) const {
    return {&views_[(std::size_t{e} * view_count_ + which) * stride_], stride_};
  }
  // All views of an event, one after the other: view_count() * thread_capacity() numbers, a multiple of 8.
  std::uint32_t* views_of(EventId e) { return &views_[std::size_t{e} * view_count_ * stride_]; }
  bool contains(ConstView v, EventId e) const {
    const Event& event = events_[e];
    return event.thread == no_thread || event.index < v[event.thread];
  }

  // --- changes; undo in reverse order ---
  ThreadId add_thread();                       // never undone; threads that do not run have no events
  EventId add_event(ThreadId t, const Event& event);  // sets thread, index, stamp; not linked to anything yet
  void remove_last_event(ThreadId t);          // frees its id; must be unlinked
  void detach_last_event(ThreadId t);          // takes it out of its thread but keeps the record: a cut
  void reattach_event(EventId e);              // undoes detach_last_event
  void set_source(EventId r, EventId w);       // r had none
  void clear_source(EventId r);                // keeps r's reader links for relink_source
  void relink_source(EventId r);               // undoes clear_source
  void place_write(EventId w, EventId after);
  void unplace_write(EventId w);               // keeps neighbours for replace_write
  void replace_write(EventId w);               // undoes unplace_write
  void make_partners(EventId a, EventId b) {
    events_[a].partner = b;
    events_[b].partner = a;
  }
  // A write that was unplaced for good (not to be put back) forgets its neighbours, so that placed() is false.
  void forget_place(EventId w) { events_[w].previous_write = events_[w].next_write = no_event; }
  std::uint32_t next_stamp() const { return next_stamp_; }
  void set_next_stamp(std::uint32_t stamp) { next_stamp_ = stamp; }

 private:
  EventId new_event_slot();
  EventId grow();
  void grow_stride(unsigned threads);

  unsigned view_count_;
  unsigned stride_ = 8;
  std::uint32_t next_stamp_ = 1;
  std::vector<Event> events_;
  std::vector<EventId> free_events_;
  std::vector<std::uint32_t> views_;
  std::vector<std::vector<EventId>> threads_;
  std::vector<Location> locations_;
};

// --- the changes, inline because the search makes millions of them ---

inline EventId ExecutionGraph::new_event_slot() {
  if (free_events_.empty()) return grow();
  const EventId id = free_events_.back();
  free_events_.pop_back();
  return id;
}

inline EventId ExecutionGraph::add_event(ThreadId t, const Event& event) {
  const EventId id = new_event_slot();
  Event& added = events_[id];
  added = event;
  added.thread = t;
  added.index = static_cast<std::uint32_t>(threads_[t].size());
  added.stamp = next_stamp_++;
  threads_[t].push_back(id);
  if (added.labels & label_plain && added.location != no_location) ++locations_[added.location].plain_accesses;
  return id;
}

inline void ExecutionGraph::remove_last_event(ThreadId t) {
  const EventId id = threads_[t].back();
  detach_last_event(t);
  free_events_.push_back(id);
}

inline void ExecutionGraph::detach_last_event(ThreadId t) {
  const Event& event = events_[threads_[t].back()];
  if (event.labels & label_plain && event.location != no_location) --locations_[event.location].plain_accesses;
  threads_[t].pop_back();
}

inline void ExecutionGraph::reattach_event(EventId e) {
  const Event& event = events_[e];
  HEDDLE_CHECK(event.index == threads_[event.thread].size(), "events come back in the order in which they left");
  if (event.labels & label_plain && event.location != no_location) ++locations_[event.location].plain_accesses;
  threads_[event.thread].push_back(e);
}

inline void ExecutionGraph::set_source(EventId r, EventId w) {
  Event& read = events_[r];
  Event& write = events_[w];
  read.reads_from = w;
  read.previous_reader = no_event;
  read.next_reader = write.first_reader;
  if (write.first_reader != no_event) events_[write.first_reader].previous_reader = r;
  write.first_reader = r;
}

inline void ExecutionGraph::clear_source(EventId r) {
  const Event& read = events_[r];
  if (read.previous_reader != no_event)
    events_[read.previous_reader].next_reader = read.next_reader;
  else
    events_[read.reads_from].first_reader = read.next_reader;
  if (read.next_reader != no_event) events_[read.next_reader].previous_reader = read.previous_reader;
}

inline void ExecutionGraph::relink_source(EventId r) {
  const Event& read = events_[r];
  if (read.previous_reader != no_event)
    events_[read.previous_reader].next_reader = r;
  else
    events_[read.reads_from].first_reader = r;
  if (read.next_reader != no_event) events_[read.next_reader].previous_reader = r;
}

inline void ExecutionGraph::place_write(EventId w, EventId after) {
  Event& write = events_[w];
  write.previous_write = after;
  write.next_write = events_[after].next_write;
  replace_write(w);
}

inline void ExecutionGraph::replace_write(EventId w) {
  const Event& write = events_[w];
  events_[write.previous_write].next_write = w;
  if (write.next_write != no_event)
    events_[write.next_write].previous_write = w;
  else
    locations_[write.location].last_write = w;
}

inline void ExecutionGraph::unplace_write(EventId w) {
  const Event& write = events_[w];
  events_[write.previous_write].next_write = write.next_write;
  if (write.next_write != no_event)
    events_[write.next_write].previous_write = write.previous_write;
  else
    locations_[write.location].last_write = write.previous_write;
}

}  // namespace heddle::graph
