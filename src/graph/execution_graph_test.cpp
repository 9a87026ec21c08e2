// Undoing: any sequence of changes undone in reverse order gives back the same graph, and the invariant checker
// notices broken links.
#include "graph/execution_graph.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "graph/graph_invariants.h"

namespace heddle::graph {
namespace {

Event read_of(LocationId location) {
  Event event;
  event.kind = EventKind::read;
  event.labels = label_read | label_atomic;
  event.location = location;
  return event;
}

Event write_of(LocationId location, std::uint64_t value) {
  Event event;
  event.kind = EventKind::write;
  event.labels = label_write | label_atomic;
  event.location = location;
  event.value.low = value;
  return event;
}

std::string describe(const ExecutionGraph& graph) {
  std::string text;
  for (ThreadId t = 0; t < graph.thread_count(); ++t) {
    text += "|";
    for (EventId e : graph.events_of(t))
      text +=
          " " + std::to_string(e) + (graph[e].kind == EventKind::read ? "<" + std::to_string(graph[e].reads_from) : "");
  }
  for (LocationId l = 0; l < graph.location_count(); ++l) {
    text += "#";
    for (EventId w = graph.location(l).initial; w != no_event; w = graph[w].next_write) {
      text += " " + std::to_string(w) + "(";
      for (EventId r = graph[w].first_reader; r != no_event; r = graph[r].next_reader) text += std::to_string(r) + ",";
      text += ")";
    }
  }
  return text;
}

TEST(ExecutionGraph, PlacesWritesAndUndoesThem) {
  ExecutionGraph graph(1);
  const ThreadId t = graph.add_thread();
  const LocationId x = graph.add_location(64, 4, {});
  const EventId first = graph.add_event(t, write_of(x, 1));
  graph.place_write(first, graph.location(x).initial);
  const EventId second = graph.add_event(t, write_of(x, 2));
  EXPECT_FALSE(graph.placed(second));
  graph.place_write(second, graph.location(x).initial);
  EXPECT_EQ(graph[graph.location(x).initial].next_write, second);
  EXPECT_EQ(graph.location(x).last_write, first);
  graph.unplace_write(second);
  graph.forget_place(second);
  EXPECT_EQ(graph[graph.location(x).initial].next_write, first);
  graph.remove_last_event(t);
  EXPECT_EQ(graph.last_of(t), first);
}

TEST(ExecutionGraph, ViewsSurviveMoreThreads) {
  ExecutionGraph graph(2);
  const ThreadId t = graph.add_thread();
  const EventId e = graph.add_event(t, {});
  graph.view(0, e)[t] = 1;
  graph.view(1, e)[t] = 7;
  const ThreadId other = graph.add_thread();
  graph.view(0, e)[other] = 3;
  graph.view(1, e)[other] = 5;
  for (int i = 0; i < 100; ++i) graph.add_thread();
  EXPECT_EQ(graph.view(0, e)[t], 1u);
  EXPECT_EQ(graph.view(1, e)[t], 7u);
  EXPECT_EQ(graph.view(0, e)[other], 3u);
  EXPECT_EQ(graph.view(1, e)[other], 5u);
  EXPECT_EQ(graph.view(1, e)[100], 0u);
}

TEST(ExecutionGraph, CutsAndRestoresInReverseOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    ExecutionGraph graph(1);
    for (int t = 0; t < 3; ++t) graph.add_thread();
    const LocationId x = graph.add_location(64, 4, {});
    std::vector<EventId> writes = {graph.location(x).initial}, events;
    for (int i = 0; i < 12; ++i) {
      const ThreadId t = random() % 3;
      if (random() % 2) {
        const EventId w = graph.add_event(t, write_of(x, i));
        graph.place_write(w, writes[random() % writes.size()]);
        writes.push_back(w);
        events.push_back(w);
      } else {
        const EventId r = graph.add_event(t, read_of(x));
        graph.set_source(r, writes[random() % writes.size()]);
        events.push_back(r);
      }
    }
    const std::string before = describe(graph);
    const std::size_t keep = random() % events.size();
    for (std::size_t i = events.size(); i-- > keep;) {
      if (graph[events[i]].kind == EventKind::read) graph.clear_source(events[i]);
      if (graph[events[i]].kind == EventKind::write) graph.unplace_write(events[i]);
      graph.detach_event(events[i]);
    }
    for (std::size_t i = keep; i < events.size(); ++i) {
      graph.reattach_event(events[i]);
      if (graph[events[i]].kind == EventKind::read) graph.relink_source(events[i]);
      if (graph[events[i]].kind == EventKind::write) graph.replace_write(events[i]);
    }
    EXPECT_EQ(describe(graph), before);
  }
}

TEST(GraphInvariants, NoticesABrokenReaderList) {
  ExecutionGraph graph(1);
  const ThreadId t = graph.add_thread();
  const LocationId x = graph.add_location(64, 4, {});
  const EventId r = graph.add_event(t, read_of(x));
  graph.set_source(r, graph.location(x).initial);
  graph.view(0, r)[t] = 1;
  EXPECT_NO_THROW(check_invariants(graph));
  graph[graph.location(x).initial].first_reader = no_event;
  EXPECT_THROW(check_invariants(graph), InternalError);
}

TEST(GraphInvariants, NoticesAWriteOutsideOfCoherence) {
  ExecutionGraph graph(1);
  const ThreadId t = graph.add_thread();
  const LocationId x = graph.add_location(64, 4, {});
  const EventId w = graph.add_event(t, write_of(x, 1));
  graph.view(0, w)[t] = 1;
  EXPECT_NO_THROW(check_invariants(graph, w));
  EXPECT_THROW(check_invariants(graph), InternalError);
}

TEST(GraphInvariants, NoticesACausalViewWithoutItsEvent) {
  ExecutionGraph graph(1);
  const ThreadId t = graph.add_thread();
  const EventId e = graph.add_event(t, {});
  graph.view(0, e)[t] = 0;
  EXPECT_THROW(check_invariants(graph), InternalError);
}

}  // namespace
}  // namespace heddle::graph
