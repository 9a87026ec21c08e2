// See reduce.h. `s <= t` (t simulates s): whatever can be done from s can be done from t, step by step, with guards
// that are no stronger. The relation is the greatest fixpoint, computed naively: model automata have a few dozen
// states. Tested in nfa_test.cpp.
#include "automata/reduce.h"

#include <algorithm>

namespace heddle::automata {
namespace {

// The same automaton read from its end; steps keep their direction since they are only compared.
void turn_around(Nfa& nfa) {
  for (Transition& t : nfa.transitions) {
    std::swap(t.from, t.to);
    std::swap(t.source, t.target);
  }
}

using Order = std::vector<std::vector<bool>>;  // order[s][t]: t simulates s

std::vector<std::vector<Transition>> by_source(const Nfa& nfa) {
  std::vector<std::vector<Transition>> outgoing(nfa.states);
  for (const Transition& t : nfa.transitions) outgoing[t.from].push_back(t);
  return outgoing;
}

bool covers(const Transition& strong, const Transition& weak, const Order& order) {
  return weak.step == strong.step && implies(strong.source, weak.source) && implies(strong.target, weak.target) &&
         order[strong.to][weak.to];
}

// `ends`: the states at which a walk is complete in this direction.
Order simulation(const Nfa& nfa, const std::vector<bool>& ends) {
  const auto outgoing = by_source(nfa);
  Order order(nfa.states, std::vector<bool>(nfa.states, true));
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    for (std::uint32_t t = 0; t < nfa.states; ++t) order[s][t] = !ends[s] || ends[t];
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t s = 0; s < nfa.states; ++s) {
      for (std::uint32_t t = 0; t < nfa.states; ++t) {
        if (s == t || !order[s][t]) continue;
        const bool simulated = std::all_of(outgoing[s].begin(), outgoing[s].end(), [&](const Transition& a) {
          return std::any_of(outgoing[t].begin(), outgoing[t].end(),
                             [&](const Transition& b) { return covers(a, b, order); });
        });
        if (!simulated) {
          order[s][t] = false;
          changed = true;
        }
      }
    }
  }
  return order;
}

bool merge_equivalent(Nfa& nfa, Order& order) {
  std::vector<std::uint32_t> representative(nfa.states);
  bool merged = false;
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    representative[s] = s;
    for (std::uint32_t t = 0; t < s; ++t) {
      if (!order[s][t] || !order[t][s]) continue;
      representative[s] = representative[t];
      merged = true;
      break;
    }
  }
  for (Transition& t : nfa.transitions) {
    t.from = representative[t.from];
    t.to = representative[t.to];
  }
  nfa.initial = representative[nfa.initial];
  return merged;
}

// Drops a transition if another one from the same state covers it.
bool drop_covered(Nfa& nfa, const Order& order) {
  std::vector<Transition>& list = nfa.transitions;
  std::sort(list.begin(), list.end());
  const std::size_t before = list.size();
  list.erase(std::unique(list.begin(), list.end()), list.end());
  bool changed = list.size() != before;
  for (std::size_t i = 0; i < list.size();) {
    const Transition candidate = list[i];
    const bool covered = std::any_of(list.begin(), list.end(), [&](const Transition& other) {
      return !(other == candidate) && other.from == candidate.from && covers(candidate, other, order) &&
             !(covers(other, candidate, order) && candidate < other);  // of two equal ones keep the smaller
    });
    if (covered) {
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
      changed = true;
    } else {
      ++i;
    }
  }
  return changed;
}

bool reduce_once(Nfa& nfa, bool backwards) {
  std::vector<bool> ends = nfa.accepting;
  if (backwards) {
    ends.assign(nfa.states, false);
    ends[nfa.initial] = true;
    turn_around(nfa);
  }
  // Merging must not lose the distinction that the other direction needs: which states accept (or are initial).
  Order order = simulation(nfa, ends);
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    for (std::uint32_t t = 0; t < nfa.states; ++t) {
      const bool differ = nfa.accepting[s] != nfa.accepting[t] || (s == nfa.initial) != (t == nfa.initial);
      if (differ && order[s][t] && order[t][s]) order[std::max(s, t)][std::min(s, t)] = false;
    }
  }
  const bool merged = merge_equivalent(nfa, order);
  bool dropped = false;
  if (!merged) dropped = drop_covered(nfa, order);
  if (backwards) turn_around(nfa);
  trim(nfa);
  return merged || dropped;
}

bool coherent(StepKind kind) { return kind == StepKind::co_imm || kind == StepKind::coe || kind == StepKind::coi; }

}  // namespace

void reduce(Nfa& nfa) {
  trim(nfa);
  if (nfa.states > 400) return;  // correct as it is; such a model would only wait for its reduction
  for (bool changed = true; changed;) {
    changed = reduce_once(nfa, false);
    changed = reduce_once(nfa, true) || changed;
  }
  std::sort(nfa.transitions.begin(), nfa.transitions.end());
}

void specialize(Nfa& nfa, const std::vector<std::uint64_t>& combinations) {
  if (combinations.empty()) return;
  // A guard becomes the labels on which all combinations that pass it agree (among those its step allows): equal
  // conditions get equal guards, and one guard implies another exactly if it does so for these combinations.
  const auto fit = [&](Guard& guard, const Guard& given) {
    std::uint64_t always = ~std::uint64_t{0}, never = ~std::uint64_t{0};
    bool any = false, all = true;
    for (std::uint64_t labels : combinations) {
      if (!given.holds(labels)) continue;
      if (!guard.holds(labels)) {
        all = false;
        continue;
      }
      any = true;
      always &= labels;
      never &= ~labels;
    }
    guard = all ? Guard{} : Guard{always | never, always};
    return any;
  };
  std::erase_if(nfa.transitions, [&](Transition& t) {
    const bool source = fit(t.source, source_of(t.step)), target = fit(t.target, target_of(t.step));
    return !source || !target;
  });
  std::erase_if(nfa.empty_word, [&](const Guard& guard) {
    return std::none_of(combinations.begin(), combinations.end(), [&](auto labels) { return guard.holds(labels); });
  });
  reduce(nfa);
}

bool every_cycle_passes_initial(const Nfa& circle) {
  // reach[s][t]: a way from s to t that avoids the initial state.
  std::vector<std::vector<bool>> reach(circle.states, std::vector<bool>(circle.states, false));
  const auto inner = [&](const Transition& t) { return t.from != circle.initial && t.to != circle.initial; };
  for (const Transition& t : circle.transitions) {
    if (inner(t)) reach[t.from][t.to] = true;
  }
  for (std::uint32_t k = 0; k < circle.states; ++k) {
    for (std::uint32_t i = 0; i < circle.states; ++i) {
      for (std::uint32_t j = 0; reach[i][k] && j < circle.states; ++j) {
        if (reach[k][j]) reach[i][j] = true;
      }
    }
  }
  // All steps of a strongly connected component must be inside one acyclic order, in one direction.
  for (const Transition& a : circle.transitions) {
    if (!inner(a) || !(a.to == a.from || reach[a.to][a.from])) continue;
    if (!is_causal(a.step.kind) && !coherent(a.step.kind)) return false;
    for (const Transition& b : circle.transitions) {
      if (!inner(b) || !(b.from == a.from || (reach[a.from][b.from] && reach[b.from][a.from]))) continue;
      if (!(b.to == b.from || reach[b.to][b.from])) continue;
      if (is_causal(a.step.kind) != is_causal(b.step.kind) || a.step.inverse != b.step.inverse) return false;
      if (coherent(a.step.kind) != coherent(b.step.kind)) return false;
    }
  }
  return true;
}

}  // namespace heddle::automata
