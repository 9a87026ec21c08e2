// The execution graph: events, program order, reads-from, coherence, and views (vector clocks), changed in place.
// Knows nothing about programs or models.
//
// Undo. Every change is its own inverse's mirror and must be undone in reverse order (Knuth's dancing links): an
// unlinked event keeps its own links, so relinking is O(1). The explorer records the changes on its trail.
//
// Invariants (re-checked by graph_invariants.h): threads are lists of live events with increasing indices and stamps;
// every live read with a source is in that source's reader list; the live events, and the live reads of a location, are
// linked in the order of their stamps; the writes of a location form one doubly linked list
// that starts with its initial write; partner links are symmetric.
//
// Events of a location are only linked into coherence by `place_write`; a write that was added but not yet placed has
// `placed(e) == false`.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/check.h"
#include "base/value.h"
#include "graph/event.h"

namespace heddle::graph {

struct Location {
  std::uint64_t address = 0;
  std::uint8_t size = 0;
  EventId initial = no_event;  // its initial write: head of the coherence order
  EventId last_write = no_event;  // tail of the coherence order
  EventId newest_read = no_event;  // the one with the highest stamp
  std::uint32_t plain_accesses = 0;  // live non-atomic accesses, so that race checks can be skipped
};

// A set of events closed under program order: per thread, how many of its first events belong to it.
// Initial writes belong to every view.
using View = std::span<std::uint32_t>;
using ConstView = std::span<const std::uint32_t>;

// The events of one thread, in program order.
struct ThreadEvents {
  EventId* events = nullptr;
  std::uint32_t size = 0;
  std::uint32_t capacity = 0;
};

// Where the graph keeps everything, for code that walks it millions of times. Pointers change when the graph grows:
// read them anew in every call. The layout of these structures is what compiled checkers are compiled against.
struct GraphMemory {
  Event* events = nullptr;
  std::uint32_t* views = nullptr;  // of event e: [e * view_count * stride, ...)
  ThreadEvents* threads = nullptr;
  Location* locations = nullptr;
  std::uint32_t thread_count = 0;
  std::uint32_t view_count = 0;
  std::uint32_t stride = 8;  // numbers in one view: threads there is room for, a multiple of 8
  std::uint32_t event_capacity = 0;  // every event's id is below this
};

class ExecutionGraph {
 public:
  // `views`: how many views every event carries. View 0 is always the causal one: (program order | reads-from |
  // create | join)+, including the event itself.
  explicit ExecutionGraph(unsigned views);

  const GraphMemory& memory() const { return memory_; }
  unsigned view_count() const { return memory_.view_count; }
  unsigned thread_count() const { return memory_.thread_count; }
  unsigned thread_capacity() const { return memory_.stride; }

  Event& operator[](EventId e) { return memory_.events[e]; }
  const Event& operator[](EventId e) const { return memory_.events[e]; }
  std::size_t event_capacity() const { return events_.size(); }  // every id is below this

  std::span<const EventId> events_of(ThreadId t) const { return {memory_.threads[t].events, memory_.threads[t].size}; }
  EventId last_of(ThreadId t) const {
    const ThreadEvents& thread = memory_.threads[t];
    return thread.size == 0 ? no_event : thread.events[thread.size - 1];
  }
  // Is there an event with this id in a thread? (Ids of events that were taken out may be asked for.)
  bool is_live(EventId e) const {
    if (e >= events_.size() || memory_.events[e].thread == no_thread) return false;
    const ThreadEvents& thread = memory_.threads[memory_.events[e].thread];
    return memory_.events[e].index < thread.size && thread.events[memory_.events[e].index] == e;
  }
  EventId newest() const { return newest_; }  // the event with the highest stamp; no_event if there is none
  EventId po_previous(EventId e) const {
    const Event& event = (*this)[e];
    return event.index == 0 || event.thread == no_thread ? no_event
                                                         : memory_.threads[event.thread].events[event.index - 1];
  }
  EventId po_next(EventId e) const {
    const Event& event = (*this)[e];
    if (event.thread == no_thread) return no_event;
    const ThreadEvents& thread = memory_.threads[event.thread];
    return event.index + 1 < thread.size ? thread.events[event.index + 1] : no_event;
  }

  Location& location(LocationId id) { return memory_.locations[id]; }
  const Location& location(LocationId id) const { return memory_.locations[id]; }
  std::size_t location_count() const { return locations_.size(); }
  // Makes a location with its initial write; locations are never removed.
  LocationId add_location(std::uint64_t address, std::uint8_t size, Value initial);

  // True if the write is in coherence order.
  bool placed(EventId w) const {
    return memory_.events[w].previous_write != no_event || memory_.events[w].kind == EventKind::initial;
  }

  // Views of an event. contains(v, e): e is in v.
  View view(unsigned which, EventId e) { return {views_of(e) + std::size_t{which} * memory_.stride, memory_.stride}; }
  ConstView view(unsigned which, EventId e) const {
    return {views_of(e) + std::size_t{which} * memory_.stride, memory_.stride};
  }
  // All views of an event, one after the other: view_count() * thread_capacity() numbers, a multiple of 8.
  std::uint32_t* views_of(EventId e) const {
    return memory_.views + std::size_t{e} * memory_.view_count * memory_.stride;
  }
  bool contains(ConstView v, EventId e) const {
    const Event& event = (*this)[e];
    return event.thread == no_thread || event.index < v[event.thread];
  }

  // --- changes; undo in reverse order ---
  ThreadId add_thread();  // never undone; threads that do not run have no events
  EventId add_event(ThreadId t, const Event& event);  // sets thread, index, stamp; not linked to anything yet
  // The same in two steps. Making room, if there is none, is rare: whoever adds millions of events keeps it apart.
  bool has_room(ThreadId t) const {
    const ThreadEvents& thread = memory_.threads[t];
    return free_ != no_event && thread.size != thread.capacity;
  }
  void make_room(ThreadId t);
  EventId add_event_in_room(ThreadId t, const Event& event);
  void remove_last_event(ThreadId t);  // frees its id; must be unlinked
  void remove_newest_event();  // the same for the newest event; the next one gets its stamp
  void detach_event(EventId e);  // takes the last one of its thread out but keeps the record: a cut
  void reattach_event(EventId e);  // undoes detach_event
  void set_source(EventId r, EventId w);  // r had none
  void clear_source(EventId r);  // keeps r's reader links for relink_source
  void relink_source(EventId r);  // undoes clear_source
  void place_write(EventId w, EventId after);
  void unplace_write(EventId w);  // keeps neighbours for replace_write
  void replace_write(EventId w);  // undoes unplace_write
  void make_partners(EventId a, EventId b) {
    memory_.events[a].partner = b;
    memory_.events[b].partner = a;
  }
  // A write that was unplaced for good (not to be put back) forgets its neighbours, so that placed() is false.
  void forget_place(EventId w) { memory_.events[w].previous_write = memory_.events[w].next_write = no_event; }
  std::uint32_t next_stamp() const { return next_stamp_; }

 private:
  EventId new_event_slot();
  void grow();
  void set_free(EventId e) {
    memory_.events[e].older = free_;
    free_ = e;
  }
  void grow_stride(unsigned threads);
  void append(ThreadEvents& thread, EventId e) {
    if (thread.size == thread.capacity) grow_thread(thread);
    thread.events[thread.size++] = e;
  }
  void grow_thread(ThreadEvents& thread);
  void enter(EventId e);  // into the orders of stamps; its own links say where
  void leave(EventId e);

  GraphMemory memory_;  // points into the vectors below
  std::uint32_t next_stamp_ = 1;
  EventId newest_ = no_event;
  std::vector<Event> events_;
  EventId free_ = no_event;  // ids that are free, linked by `older`
  std::vector<std::uint32_t> views_;
  std::vector<ThreadEvents> threads_;
  std::vector<std::unique_ptr<EventId[]>> thread_storage_;
  std::vector<Location> locations_;
};

// --- the changes, inline because the search makes millions of them ---

inline EventId ExecutionGraph::new_event_slot() {
  if (free_ == no_event) grow();
  const EventId id = free_;
  free_ = memory_.events[id].older;
  return id;
}

inline EventId ExecutionGraph::add_event(ThreadId t, const Event& event) {
  if (!has_room(t)) make_room(t);
  return add_event_in_room(t, event);
}

inline EventId ExecutionGraph::add_event_in_room(ThreadId t, const Event& event) {
  const EventId id = free_;
  Event& added = memory_.events[id];
  free_ = added.older;
  added = event;
  ThreadEvents& thread = memory_.threads[t];
  added.thread = t;
  added.index = thread.size;
  added.stamp = next_stamp_++;
  thread.events[thread.size++] = id;
  added.older = newest_;
  if (newest_ != no_event) memory_.events[newest_].newer = id;
  newest_ = id;
  if (event.location == no_location) return id;
  Location& location = memory_.locations[event.location];
  if (event.labels & label_plain) ++location.plain_accesses;
  if (event.kind != EventKind::read) return id;
  added.older_read = location.newest_read;
  if (location.newest_read != no_event) memory_.events[location.newest_read].newer_read = id;
  location.newest_read = id;
  return id;
}

inline void ExecutionGraph::enter(EventId e) {
  const Event& event = memory_.events[e];
  (event.newer == no_event ? newest_ : memory_.events[event.newer].older) = e;
  if (event.older != no_event) memory_.events[event.older].newer = e;
  if (event.location == no_location) return;
  Location& location = memory_.locations[event.location];
  if (event.labels & label_plain) ++location.plain_accesses;
  if (event.kind != EventKind::read) return;
  (event.newer_read == no_event ? location.newest_read : memory_.events[event.newer_read].older_read) = e;
  if (event.older_read != no_event) memory_.events[event.older_read].newer_read = e;
}

inline void ExecutionGraph::leave(EventId e) {
  const Event& event = memory_.events[e];
  (event.newer == no_event ? newest_ : memory_.events[event.newer].older) = event.older;
  if (event.older != no_event) memory_.events[event.older].newer = event.newer;
  if (event.location == no_location) return;
  Location& location = memory_.locations[event.location];
  if (event.labels & label_plain) --location.plain_accesses;
  if (event.kind != EventKind::read) return;
  (event.newer_read == no_event ? location.newest_read : memory_.events[event.newer_read].older_read) =
      event.older_read;
  if (event.older_read != no_event) memory_.events[event.older_read].newer_read = event.newer_read;
}

inline void ExecutionGraph::remove_last_event(ThreadId t) {
  const EventId id = last_of(t);
  detach_event(id);
  set_free(id);
}

inline void ExecutionGraph::remove_newest_event() {
  const EventId id = newest_;
  const Event& event = memory_.events[id];
  next_stamp_ = event.stamp;
  --memory_.threads[event.thread].size;
  newest_ = event.older;
  if (newest_ != no_event) memory_.events[newest_].newer = no_event;
  if (event.location != no_location) {
    Location& location = memory_.locations[event.location];
    if (event.labels & label_plain) --location.plain_accesses;
    if (event.kind == EventKind::read) {
      location.newest_read = event.older_read;
      if (event.older_read != no_event) memory_.events[event.older_read].newer_read = no_event;
    }
  }
  set_free(id);
}

inline void ExecutionGraph::detach_event(EventId e) {
  leave(e);
  --memory_.threads[memory_.events[e].thread].size;
}

inline void ExecutionGraph::reattach_event(EventId e) {
  ThreadEvents& thread = memory_.threads[memory_.events[e].thread];
  HEDDLE_CHECK(memory_.events[e].index == thread.size, "events come back in the order in which they left");
  enter(e);
  append(thread, e);
}

inline void ExecutionGraph::set_source(EventId r, EventId w) {
  Event& read = memory_.events[r];
  Event& write = memory_.events[w];
  read.reads_from = w;
  read.previous_reader = no_event;
  read.next_reader = write.first_reader;
  if (write.first_reader != no_event) memory_.events[write.first_reader].previous_reader = r;
  write.first_reader = r;
}

inline void ExecutionGraph::clear_source(EventId r) {
  const Event& read = memory_.events[r];
  if (read.previous_reader != no_event)
    memory_.events[read.previous_reader].next_reader = read.next_reader;
  else
    memory_.events[read.reads_from].first_reader = read.next_reader;
  if (read.next_reader != no_event) memory_.events[read.next_reader].previous_reader = read.previous_reader;
}

inline void ExecutionGraph::relink_source(EventId r) {
  const Event& read = memory_.events[r];
  if (read.previous_reader != no_event)
    memory_.events[read.previous_reader].next_reader = r;
  else
    memory_.events[read.reads_from].first_reader = r;
  if (read.next_reader != no_event) memory_.events[read.next_reader].previous_reader = r;
}

inline void ExecutionGraph::place_write(EventId w, EventId after) {
  Event& write = memory_.events[w];
  write.previous_write = after;
  write.next_write = memory_.events[after].next_write;
  replace_write(w);
}

inline void ExecutionGraph::replace_write(EventId w) {
  const Event& write = memory_.events[w];
  memory_.events[write.previous_write].next_write = w;
  if (write.next_write != no_event)
    memory_.events[write.next_write].previous_write = w;
  else
    memory_.locations[write.location].last_write = w;
}

inline void ExecutionGraph::unplace_write(EventId w) {
  const Event& write = memory_.events[w];
  memory_.events[write.previous_write].next_write = write.next_write;
  if (write.next_write != no_event)
    memory_.events[write.next_write].previous_write = write.previous_write;
  else
    memory_.locations[write.location].last_write = write.previous_write;
}

}  // namespace heddle::graph
