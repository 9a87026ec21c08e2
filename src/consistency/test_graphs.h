// For tests: labels of events as the explorer makes them, and a builder that adds events to a graph the way the
// explorer does, asking a checker about each of them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/memory_order.h"
#include "consistency/checker.h"
#include "graph/execution_graph.h"

namespace heddle::consistency::test {

using namespace heddle::graph;
using enum heddle::MemoryOrder;

inline Model load_model(const std::string& name) {
  Result<Model> model = Model::load(std::string(HEDDLE_SOURCE_DIR) + "/models/" + name + ".kat");
  HEDDLE_CHECK(model, "a model of the models folder is broken");
  return *model;
}

inline Labels mode_labels(MemoryOrder order, bool acquire_side, bool release_side) {
  Labels labels = 0;
  if (order == plain)
    labels |= label_plain;
  else
    labels |= label_atomic;
  if (order == relaxed) labels |= label_relaxed;
  if (acquire_side && acquires(order)) labels |= label_acquire;
  if (release_side && releases(order)) labels |= label_release;
  if (order == seq_cst) labels |= label_sc;
  return labels;
}

inline Labels read_labels(MemoryOrder order) { return label_read | mode_labels(order, true, false); }
inline Labels write_labels(MemoryOrder order) { return label_write | mode_labels(order, false, true); }
inline Labels fence_labels(MemoryOrder order) { return label_fence | (mode_labels(order, true, true) & ~label_atomic); }
inline Labels rmw_read_labels(MemoryOrder order) { return read_labels(order) | label_rmw_read | label_exclusive_read; }
inline Labels rmw_write_labels(MemoryOrder order) { return write_labels(order) | label_rmw_write; }

inline Event make_event(EventKind kind, Labels labels, LocationId location = no_location) {
  Event event;
  event.kind = kind;
  event.labels = labels;
  event.location = location;
  return event;
}

// Builds one graph under one model; `good` says whether the checker allowed every step.
class GraphBuilder {
 public:
  explicit GraphBuilder(const Model& model, unsigned threads, unsigned locations)
      : graph(model.view_count()), checker(model, graph) {
    for (unsigned t = 0; t < threads; ++t) graph.add_thread();
    for (unsigned l = 0; l < locations; ++l) graph.add_location(0x1000 + 8 * l, 8, {});
  }

  EventId initial(LocationId location) const { return graph.location(location).initial; }

  EventId write(ThreadId t, LocationId location, MemoryOrder order, EventId after = no_event) {
    return add_write(t, make_event(EventKind::write, write_labels(order), location), after);
  }

  EventId read(ThreadId t, LocationId location, MemoryOrder order, EventId source) {
    return add_read(t, make_event(EventKind::read, read_labels(order), location), source);
  }

  // Returns the write half.
  EventId rmw(ThreadId t, LocationId location, MemoryOrder order, EventId source) {
    const EventId r = add_read(t, make_event(EventKind::read, rmw_read_labels(order), location), source);
    const EventId w = graph.add_event(t, make_event(EventKind::write, rmw_write_labels(order), location));
    graph.make_partners(r, w);
    return finish_write(w, source);
  }

  EventId failed_rmw(ThreadId t, LocationId location, MemoryOrder order, EventId source) {
    return add_read(t, make_event(EventKind::read, read_labels(order) | label_exclusive_read, location), source);
  }

  EventId fence(ThreadId t, MemoryOrder order) {
    return simple(t, make_event(EventKind::fence, fence_labels(order)), no_event);
  }
  EventId create(ThreadId t) { return simple(t, make_event(EventKind::create, label_create), no_event); }
  EventId begin(ThreadId t, EventId create) { return simple(t, make_event(EventKind::begin, label_begin), create); }
  EventId finish(ThreadId t) { return simple(t, make_event(EventKind::finish, label_finish), no_event); }
  EventId join(ThreadId t, EventId finish) { return simple(t, make_event(EventKind::join, label_join), finish); }

  bool race() const { return race_; }

  ExecutionGraph graph;
  Checker checker;
  bool good = true;

 private:
  EventId simple(ThreadId t, const Event& event, EventId partner) {
    const EventId e = graph.add_event(t, event);
    if (partner != no_event) graph.make_partners(e, partner);
    checker.update_views(e);
    good = checker.consistent(e) && good;
    return e;
  }

  EventId add_read(ThreadId t, const Event& event, EventId source) {
    const EventId r = graph.add_event(t, event);
    std::vector<EventId> sources;
    checker.coherent_sources(r, sources);
    good = std::find(sources.begin(), sources.end(), source) != sources.end() && good;
    graph.set_source(r, source);
    checker.update_views(r);
    good = checker.coherent_source(r) && checker.consistent(r) && good;
    race_ = checker.erroneous(r).has_value() || race_;
    return r;
  }

  EventId add_write(ThreadId t, const Event& event, EventId after) {
    return finish_write(graph.add_event(t, event), after);
  }

  EventId finish_write(EventId w, EventId after) {
    checker.update_views(w);
    race_ = checker.erroneous(w).has_value() || race_;
    std::vector<EventId> places;
    checker.coherent_places(w, places);
    if (after == no_event) after = graph.location(graph[w].location).last_write;
    good = std::find(places.begin(), places.end(), after) != places.end() && good;
    graph.place_write(w, after);
    good = checker.consistent(w) && good;
    return w;
  }

  bool race_ = false;
};

}  // namespace heddle::consistency::test
