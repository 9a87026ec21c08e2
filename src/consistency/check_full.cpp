// See check_full.h. Tested in checker_test.cpp on litmus graphs with known verdicts.
#include "consistency/check_full.h"

#include <algorithm>

#include "consistency/compiled_model.h"
#include "consistency/literal_model.h"

namespace heddle::consistency {
namespace {

using graph::Event;
using graph::EventId;
using graph::no_event;

// The graph as plain data, oldest event first, with the names of the events.
struct Copy {
  explicit Copy(const graph::ExecutionGraph& graph) {
    for (std::size_t l = 0; l < graph.location_count(); ++l)
      events.push_back(graph.location(static_cast<graph::LocationId>(l)).initial);
    for (graph::ThreadId t = 0; t < graph.thread_count(); ++t)
      events.insert(events.end(), graph.events_of(t).begin(), graph.events_of(t).end());
    std::stable_sort(events.begin(), events.end(),
                     [&](EventId a, EventId b) { return graph[a].stamp < graph[b].stamp; });
    number.assign(graph.event_capacity(), nowhere);
    for (std::uint32_t i = 0; i < events.size(); ++i) number[events[i]] = i;
    const auto place = [&](EventId e) { return e == no_event ? nowhere : number[e]; };
    for (const EventId e : events) {
      const Event& event = graph[e];
      PlainEvent plain;
      plain.labels = event.labels;
      if (event.thread != graph::no_thread) plain.thread = event.thread;
      if (event.location != graph::no_location) plain.location = event.location;
      if (event.thread != graph::no_thread && event.index > 0)
        plain.po_previous = place(graph.events_of(event.thread)[event.index - 1]);
      if (event.labels & graph::label_read) plain.reads_from = place(event.reads_from);
      if (event.labels & graph::label_write) plain.co_previous = place(event.previous_write);
      if (event.labels & graph::label_rmw_write) plain.rmw_read = place(event.partner);
      if (event.kind == graph::EventKind::begin) plain.created_by = place(event.partner);
      if (event.kind == graph::EventKind::join) plain.joined = place(event.partner);
      plain_graph.push_back(plain);
    }
  }

  std::vector<EventId> events;
  std::vector<std::uint32_t> number;  // by event
  PlainGraph plain_graph;
};

}  // namespace

bool allowed(const Model& model, const graph::ExecutionGraph& graph, std::string* broken_rule) {
  const Copy copy(graph);
  return LiteralModel(model.compiled().file, copy.plain_graph).allows(broken_rule);
}

bool late_constraints_hold(const Model& model, const graph::ExecutionGraph& graph) {
  const CompiledModel& compiled = model.compiled();
  if (compiled.late_constraints.empty()) return true;
  const Copy copy(graph);
  LiteralModel literal(compiled.file, copy.plain_graph);
  return std::all_of(compiled.late_constraints.begin(), compiled.late_constraints.end(),
                     [&](unsigned index) { return literal.holds(compiled.file.constraints[index]); });
}

std::vector<FullViolation> violations(const Model& model, const graph::ExecutionGraph& graph) {
  const CompiledModel& compiled = model.compiled();
  const Copy copy(graph);
  LiteralModel literal(compiled.file, copy.plain_graph);
  std::vector<FullViolation> found;
  for (std::size_t i = 0; i < compiled.rules.size(); ++i) {
    for (const auto& [first, second] : literal.broken_pairs(compiled.file.rules[i]))
      found.push_back({&compiled.rules[i], copy.events[first], copy.events[second]});
  }
  return found;
}

bool synchronised(const Model& model, const graph::ExecutionGraph& graph, EventId a, EventId b) {
  const Copy copy(graph);
  return LiteralModel(model.compiled().file, copy.plain_graph).synchronises().get(copy.number[a], copy.number[b]);
}

bool in_view(const Model& model, const graph::ExecutionGraph& graph, const std::string& view, EventId a, EventId b) {
  const relation::ModelFile& file = model.compiled().file;
  const Copy copy(graph);
  const LiteralModel literal(file, copy.plain_graph);
  for (std::size_t i = 0; i < file.views.size(); ++i) {
    if (file.views[i].name == view) return a == b || literal.view(i).get(copy.number[a], copy.number[b]);
  }
  return false;
}

}  // namespace heddle::consistency
