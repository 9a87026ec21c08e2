// A slow, direct evaluator of a model on the explorer's graph: what literal_model.h says of a plain copy of it. The
// twin that the checker is compared with, and the only judge of late constraints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "consistency/model.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

// Does the model allow the graph? If not, `broken_rule` (may be null) says which rule forbids it.
bool allowed(const Model& model, const graph::ExecutionGraph& graph, std::string* broken_rule);

// Only the late constraints: for a graph that satisfies all others.
bool late_constraints_hold(const Model& model, const graph::ExecutionGraph& graph);

struct FullViolation {
  const ErrorRule* rule = nullptr;
  graph::EventId first = graph::no_event, second = graph::no_event;  // first has the smaller stamp
};

// Every pair of events that a rule of the model forbids to be unordered.
std::vector<FullViolation> violations(const Model& model, const graph::ExecutionGraph& graph);

// Is (a, b) in the order that the model's first rule asks for? Without rules: in that of `coherence`, or the causal
// one.
bool synchronised(const Model& model, const graph::ExecutionGraph& graph, graph::EventId a, graph::EventId b);

// Is (a, b) in the named view (or its reflexive pairs)?
bool in_view(const Model& model, const graph::ExecutionGraph& graph, const std::string& view, graph::EventId a,
             graph::EventId b);

}  // namespace heddle::consistency
