// A quick answer to most consistency checks. Every cycle that a constraint over forward steps can forbid is a cycle of
// program order, creation, joining, reads-from, coherence and from-reads together; if there is none through the changed
// event, the constraint holds. The causal view says at once whether a walk has come back: everything in it leads to
// the event.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/nfa.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

class CycleFilter {
 public:
  explicit CycleFilter(const graph::ExecutionGraph& graph) : graph_(graph) {}

  // Is a missing cycle enough to say that the automaton finds none either?
  static bool applies_to(const automata::Nfa& nfa);

  // May there be a cycle through e? Its views must be up to date.
  bool may_have_cycle(graph::EventId e);

 private:
  const graph::ExecutionGraph& graph_;
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> visited_;  // by event: the last search that saw it
  std::vector<graph::EventId> stack_;
};

}  // namespace heddle::consistency
