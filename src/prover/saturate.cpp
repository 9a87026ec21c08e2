// See saturate.h. Tested in inclusion_test.cpp.
#include "prover/saturate.h"

namespace heddle::prover {
namespace {

using enum Letter;

struct Pair {
  Steps there, back;
};

void add_returns(Automaton& automaton, const LabelClasses& classes, Steps left) {
  std::vector<Pair> pairs;
  if (left & inverse(reads_from)) pairs.push_back({reads_from, inverse(reads_from)});
  for (Letter letter : {rmw, tc, tj, po_imm, co_imm}) {
    const Steps step = steps(letter), back = inverse(step);
    if ((left & step) == 0 || (left & back) == 0) continue;
    pairs.push_back({step, back});
    pairs.push_back({back, step});
  }
  const std::uint32_t count = automaton.states();
  for (std::uint32_t s = 0; s < count; ++s) {
    for (const Pair& pair : pairs) {
      const std::uint32_t between = automaton.add_state();
      automaton.edges[s].push_back({between, pair.there, classes.all(), classes.all()});
      automaton.edges[between].push_back({s, pair.back, classes.all(), classes.all()});
    }
  }
}

bool contains(Steps set, Steps part) { return (set & part) == part; }

// If s -first-> t -rest*-> t -rest-> u and s -first-> u, whatever the events between: s -whole-> u.
void add_repetitions(Automaton& automaton, Classes between, Steps first, Steps rest, Steps whole) {
  const auto free = [&](Classes guard) { return contains(guard, between); };
  for (auto& edges : automaton.edges) {
    std::vector<Edge> added;
    for (const Edge& loop_entry : edges) {
      if (!contains(loop_entry.steps, first) || !free(loop_entry.target)) continue;
      bool repeats = false;
      for (const Edge& edge : automaton.edges[loop_entry.to]) {
        if (edge.to == loop_entry.to && contains(edge.steps, rest) && free(edge.source) && free(edge.target))
          repeats = true;
      }
      if (!repeats) continue;
      for (const Edge& last : automaton.edges[loop_entry.to]) {
        if (!contains(last.steps, rest) || !free(last.source)) continue;
        for (const Edge& direct : edges) {
          if (direct.to != last.to || !contains(direct.steps, first)) continue;
          added.push_back({last.to, whole, loop_entry.source & direct.source, last.target & direct.target});
        }
      }
    }
    edges.insert(edges.end(), added.begin(), added.end());
  }
}

// If s -first-> m -second-> u, whatever the event between: s -whole-> u.
void add_shortcuts(Automaton& automaton, Classes between, Steps first, Steps second, Steps whole) {
  for (auto& edges : automaton.edges) {
    std::vector<Edge> added;
    for (const Edge& a : edges) {
      if (!contains(a.steps, first) || !contains(a.target, between)) continue;
      for (const Edge& b : automaton.edges[a.to]) {
        if (contains(b.steps, second) && contains(b.source, between))
          added.push_back({b.to, whole, a.source, b.target});
      }
    }
    edges.insert(edges.end(), added.begin(), added.end());
  }
}

}  // namespace

void saturate(Automaton& automaton, const LabelClasses& classes, Steps left) {
  const Classes threads = classes.all() & ~classes.named("IW"), writes = classes.named("W");
  const Steps po = steps(po_loc, po_other);
  const auto both_ways = [&](auto&& rule) {
    rule([](Steps set) { return set; });
    rule([](Steps set) { return inverse(set); });
  };
  both_ways([&](auto turned) {
    if (left & turned(po))
      add_repetitions(automaton, threads, turned(steps(po_imm)), turned(steps(po_imm)), turned(po | steps(rmw)));
    if (left & turned(coherence))
      add_repetitions(automaton, writes, turned(steps(co_imm)), turned(steps(co_imm)), turned(coherence));
  });
  if (left & from_read) {
    add_repetitions(automaton, writes, steps(fr_imm), steps(co_imm), from_read);
    add_shortcuts(automaton, writes, inverse(reads_from), coherence, from_read);
  }
  if (left & steps(fr_imm)) add_shortcuts(automaton, writes, inverse(reads_from), steps(co_imm), steps(fr_imm));
  if (left & inverse(from_read)) add_shortcuts(automaton, writes, inverse(coherence), reads_from, inverse(from_read));
  add_returns(automaton, classes, left);
}

}  // namespace heddle::prover
