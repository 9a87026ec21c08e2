// See general_rules.h. Tested against check_full in random_graphs_test.cpp.
#include "consistency/general_rules.h"

#include <algorithm>

#include "automata/reduce.h"
#include "consistency/neighbours.h"

namespace heddle::consistency {
namespace {

bool contains(const std::vector<EventId>& events, EventId e) {
  return std::find(events.begin(), events.end(), e) != events.end();
}

bool is_initial(const ExecutionGraph& graph, EventId e) { return graph[e].thread == graph::no_thread; }

}  // namespace

GeneralRule::BothWays::BothWays(const automata::Nfa& nfa)
    : forwards(nfa),
      backwards(automata::reverse(nfa)),
      accepting(static_cast<std::uint32_t>(std::find(nfa.accepting.begin(), nfa.accepting.end(), true) -
                                           nfa.accepting.begin())) {}

GeneralRule::GeneralRule(const CompiledRule& rule, const std::vector<graph::Labels>& labels)
    : conflict_(rule.conflict), conflicts_(rule.pairs) {
  const auto make = [&](automata::Nfa nfa) -> std::optional<BothWays> {
    automata::specialize(nfa, labels);
    if (nfa.transitions.empty()) return std::nullopt;
    return BothWays(nfa);
  };
  if (!conflict_) pairs_ = make(rule.expression);
  bound_ = make(rule.bound);
}

bool GeneralRule::never_applies() const { return conflict_ ? conflicts_.empty() : !pairs_; }

std::optional<GeneralRule::Pair> GeneralRule::broken_by(const ExecutionGraph& graph, Search& search, EventId e) const {
  if (conflict_) return broken_conflict(graph, search, e);
  if (!pairs_) return std::nullopt;
  std::vector<EventId> firsts, seconds, reached;
  for (std::uint32_t q = 0; q < pairs_->forwards.states; ++q) {
    search.collect(pairs_->forwards, e, q, pairs_->accepting, seconds);
    if (seconds.empty()) continue;
    search.collect(pairs_->backwards, e, q, pairs_->forwards.initial, firsts);
    for (const EventId a : firsts) {
      if (is_initial(graph, a)) continue;
      reached.clear();
      if (bound_) search.collect(bound_->forwards, a, bound_->forwards.initial, bound_->accepting, reached);
      for (const EventId b : seconds) {
        if (b != a && !is_initial(graph, b) && !contains(reached, b)) return Pair{a, b};
      }
    }
  }
  return std::nullopt;
}

std::optional<GeneralRule::Pair> GeneralRule::broken_conflict(const ExecutionGraph& graph, Search& search,
                                                              EventId e) const {
  std::vector<EventId> after, before;
  if (bound_) {
    search.collect(bound_->forwards, e, bound_->forwards.initial, bound_->accepting, after);
    search.collect(bound_->backwards, e, bound_->accepting, bound_->forwards.initial, before);
  }
  const graph::Labels labels = graph[e].labels;
  std::optional<Pair> found;
  visit_location(graph, e, [&](EventId x) {
    if (found || is_initial(graph, x) || graph[x].thread == graph[e].thread) return;
    const graph::Labels other = graph[x].labels;
    const bool conflicting = std::any_of(conflicts_.begin(), conflicts_.end(), [&](const auto& pair) {
      return (pair.first.holds(labels) && pair.second.holds(other)) ||
             (pair.first.holds(other) && pair.second.holds(labels));
    });
    if (conflicting && !contains(after, x) && !contains(before, x)) found = Pair{x, e};
  });
  return found;
}

}  // namespace heddle::consistency
