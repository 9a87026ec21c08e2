// See the header.
#include "graph/graph_invariants.h"

#include <set>

namespace heddle::graph {

namespace {

std::set<EventId> check_threads(const ExecutionGraph& graph) {
  std::set<EventId> live;
  for (ThreadId t = 0; t < graph.thread_count(); ++t) {
    std::uint32_t stamp = 0;
    const auto events = graph.events_of(t);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      const Event& event = graph[events[i]];
      HEDDLE_CHECK(event.thread == t && event.index == i, "an event knows its place in its thread");
      HEDDLE_CHECK(event.stamp > stamp, "stamps grow along program order");
      HEDDLE_CHECK(event.stamp < graph.next_stamp(), "no stamp lies in the future");
      HEDDLE_CHECK(live.insert(events[i]).second, "an event is in the graph once");
      stamp = event.stamp;
    }
  }
  return live;
}

void check_readers(const ExecutionGraph& graph, EventId w, const std::set<EventId>& live, std::size_t& readers) {
  EventId previous = no_event;
  for (EventId r = graph[w].first_reader; r != no_event; r = graph[r].next_reader) {
    HEDDLE_CHECK(live.contains(r), "only live reads are readers");
    HEDDLE_CHECK(graph[r].reads_from == w && graph[r].previous_reader == previous, "reader lists are doubly linked");
    HEDDLE_CHECK(graph[r].location == graph[w].location, "a read reads its own location");
    HEDDLE_CHECK(graph[r].value == graph[w].value, "a read has its source's value");
    previous = r;
    ++readers;
  }
}

// Live events, and the live reads of each location, are linked from the newest to the oldest.
void check_stamp_order(const ExecutionGraph& graph, const std::set<EventId>& live) {
  std::size_t linked = 0, reads = 0;
  EventId newer = no_event;
  for (EventId e = graph.newest(); e != no_event; newer = e, e = graph[e].older, ++linked) {
    HEDDLE_CHECK(live.contains(e) && graph[e].newer == newer, "live events are doubly linked");
    HEDDLE_CHECK(newer == no_event || graph[e].stamp < graph[newer].stamp, "links follow stamps");
    if (graph[e].kind == EventKind::read) ++reads;
  }
  HEDDLE_CHECK(linked == live.size(), "every live event is linked");
  for (LocationId location = 0; location < graph.location_count(); ++location) {
    newer = no_event;
    for (EventId r = graph.location(location).newest_read; r != no_event; newer = r, r = graph[r].older_read, --reads) {
      HEDDLE_CHECK(live.contains(r) && graph[r].newer_read == newer && graph[r].location == location,
                   "live reads of a location are doubly linked");
      HEDDLE_CHECK(newer == no_event || graph[r].stamp < graph[newer].stamp, "links of reads follow stamps");
    }
  }
  HEDDLE_CHECK(reads == 0, "every live read is linked at its location");
}

void check_view(const ExecutionGraph& graph, EventId e) {
  const ConstView causal = graph.view(0, e);
  const Event& event = graph[e];
  HEDDLE_CHECK(causal[event.thread] == event.index + 1, "an event's causal view ends with itself in its own thread");
  for (ThreadId t = 0; t < graph.thread_count(); ++t)
    HEDDLE_CHECK(causal[t] <= graph.events_of(t).size(), "causes of live events are live");
  const auto holds = [&](EventId before) {
    const ConstView earlier = graph.view(0, before);
    for (ThreadId t = 0; t < graph.thread_count(); ++t)
      if (earlier[t] > causal[t]) return false;
    return true;
  };
  if (graph.po_previous(e) != no_event) HEDDLE_CHECK(holds(graph.po_previous(e)), "causality follows program order");
  if (event.kind == EventKind::read && event.reads_from != no_event && graph[event.reads_from].thread != no_thread)
    HEDDLE_CHECK(holds(event.reads_from), "causality follows reads-from");
  if ((event.kind == EventKind::begin || event.kind == EventKind::join) && event.partner != no_event)
    HEDDLE_CHECK(holds(event.partner), "causality follows creation and joining");
}

}  // namespace

void check_invariants(const ExecutionGraph& graph, EventId unplaced) {
  const std::set<EventId> live = check_threads(graph);
  check_stamp_order(graph, live);
  std::size_t readers = 0, writes = 0;
  for (LocationId location = 0; location < graph.location_count(); ++location) {
    EventId previous = no_event;
    for (EventId w = graph.location(location).initial; w != no_event; w = graph[w].next_write) {
      HEDDLE_CHECK(graph[w].previous_write == previous, "coherence is doubly linked");
      HEDDLE_CHECK(graph[w].location == location, "coherence orders writes of one location");
      HEDDLE_CHECK(previous == no_event || live.contains(w), "only live writes are in coherence");
      check_readers(graph, w, live, readers);
      if (previous != no_event) ++writes;
      previous = w;
    }
    HEDDLE_CHECK(graph.location(location).last_write == previous, "a location knows its last write");
  }
  std::size_t reads_with_source = 0, writes_placed = 0;
  for (const EventId e : live) {
    const Event& event = graph[e];
    if (event.kind == EventKind::read && event.reads_from != no_event) ++reads_with_source;
    if (event.kind == EventKind::write && e != unplaced) ++writes_placed;
    if (event.partner != no_event)
      HEDDLE_CHECK(live.contains(event.partner) && graph[event.partner].partner == e, "partners know each other");
    check_view(graph, e);
  }
  HEDDLE_CHECK(reads_with_source == readers, "every read with a source is among its readers");
  HEDDLE_CHECK(writes_placed == writes, "every write is in coherence");
}

}  // namespace heddle::graph
