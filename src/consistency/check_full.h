// A slow, direct evaluator of a model on a whole graph: every relation is a bit matrix over the live events, and every
// expression of the file is computed by its definition. Shares only the parsed expressions with the checker, so each
// can catch the other's mistakes; also judges every counterexample before it is shown.
//
// Conventions, the same as the checker's: initial writes are in rf, co, fr and loc, never in po or views; a view does
// not relate an event to itself when it is used as a relation. What a rule asks is told at relation::Rule; it never
// speaks of initial writes nor of an event and itself.
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
