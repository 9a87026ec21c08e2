// Rules that are more than `conflicting accesses <= view` (thesis 9.3, TACAS'24 section 4): pairs (a, b) of e1 whose
// walk passes the newest event are searched with the automaton of e1, and each must be reached with the automaton of
// e2.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "consistency/compiled_model.h"
#include "consistency/search.h"

namespace heddle::consistency {

class GeneralRule {
 public:
  GeneralRule(const CompiledRule& rule, const std::vector<graph::Labels>& labels);

  // Can no event of the program be part of a pair?
  bool never_applies() const;

  // A pair through e that is not in the bound. No initial writes, no pairs of an event with itself.
  std::optional<std::pair<graph::EventId, graph::EventId>> broken_by(const graph::ExecutionGraph& graph, Search& search,
                                                                     graph::EventId e) const;

 private:
  using Pair = std::pair<graph::EventId, graph::EventId>;

  // An automaton, searched in both directions.
  struct BothWays {
    explicit BothWays(const automata::Nfa& nfa);
    Table forwards, backwards;
    std::uint32_t accepting = 0;
  };

  std::optional<Pair> broken_conflict(const graph::ExecutionGraph& graph, Search& search, graph::EventId e) const;

  bool conflict_;
  std::vector<std::pair<automata::Guard, automata::Guard>> conflicts_;
  std::optional<BothWays> pairs_, bound_;
};

}  // namespace heddle::consistency
