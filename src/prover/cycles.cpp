// See cycles.h. Tested in implication_test.cpp.
#include "prover/cycles.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "prover/bit_set.h"

namespace heddle::prover {
namespace {

constexpr std::size_t no_node = ~std::size_t{0};
constexpr std::size_t maximal_memory = std::size_t{1} << 26;  // of all nodes, in bytes
constexpr std::size_t maximal_candidates = 60;

// All assumptions as one automaton of circles: what completed a word is back at its initial state, marked.
struct Circles {
  struct Arrow {
    std::uint32_t to;
    Steps steps;
    Classes source, target;
    bool completes;
  };

  explicit Circles(const std::vector<Forbidden>& forbidden) {
    for (const Forbidden& each : forbidden) {
      const auto offset = static_cast<std::uint32_t>(arrows.size());
      const Automaton& automaton = each.automaton;
      initial.push_back(offset + automaton.initial);
      for (std::uint32_t s = 0; s < automaton.states(); ++s) {
        arrows.emplace_back();
        repeats.push_back(each.repeats);
        if (s == automaton.final) continue;
        for (const Edge& edge : automaton.edges[s]) {
          const bool completes = edge.to == automaton.final;
          arrows.back().push_back(
              {offset + (completes ? automaton.initial : edge.to), edge.steps, edge.source, edge.target, completes});
        }
      }
    }
  }

  std::size_t states() const { return arrows.size(); }

  std::vector<std::vector<Arrow>> arrows;
  std::vector<bool> repeats;
  std::vector<std::uint32_t> initial;
};

// How many steps changed the location (or the thread): none, one, or several or one cannot tell.
unsigned count_change(unsigned before, StepCode step, Steps keep, Steps change) {
  if (keep >> step & 1) return before;
  return change >> step & 1 ? std::min(before + 1, 2u) : 2;
}

struct CycleNode {
  std::uint32_t state;
  unsigned first_class, event_class;
  unsigned location_changes, thread_changes;
  BitSet relation;  // (row, state, completed)
  std::size_t parent;
  StepCode step;
  bool stays;  // reached without a step
};

class CycleSearch {
 public:
  CycleSearch(const Automaton& left, const Circles& circles, std::vector<std::uint32_t> rows,
              const LabelClasses& classes, Limits limits, const std::function<bool(const Word&)>& is_real)
      : left_(left),
        circles_(circles),
        rows_(std::move(rows)),
        classes_(classes),
        limits_(limits),
        is_real_(is_real),
        successors_(std::size_t{64} * classes.count() * classes.count()) {}

  InclusionResult run() {
    for (unsigned c = 0; c < classes_.count(); ++c) {
      if (left_.empty >> c & 1) {
        Word word;
        word.add_event(classes_, c);
        return {Answer::no, word, {}};
      }
    }
    for (unsigned c = 0; c < classes_.count(); ++c) {
      if ((limits_.events >> c & 1) == 0) continue;
      BitSet start(rows_.size() * circles_.states() * 2);
      for (std::size_t r = 0; r < rows_.size(); ++r) start.add(index(r, rows_[r], false));
      push({left_.initial, c, c, 0, 0, std::move(start), no_node, 0, true});
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (dropped_[n]) continue;
      if (const std::size_t bad = expand(n); bad != no_node) return counterexample(bad);
      if (nodes_.size() > limits_.nodes) break;
      if (n + 1 == nodes_.size() && !candidate_) return {Answer::yes, {}, {}};
    }
    if (candidate_) return *candidate_;
    return {nodes_.empty() ? Answer::yes : Answer::unknown, {}, {}};
  }

 private:
  std::size_t index(std::size_t row, std::size_t state, bool completed) const {
    return (row * circles_.states() + state) * 2 + completed;
  }

  // Returns a node that shows a counterexample, if one appears.
  std::size_t expand(std::size_t n) {
    const unsigned before = nodes_[n].event_class;
    for (const Edge& edge : left_.edges[nodes_[n].state]) {
      if ((edge.source >> before & 1) == 0) continue;
      if (edge.steps == 0) {
        if ((edge.target >> before & 1) == 0) continue;
        CycleNode next = nodes_[n];
        next.state = edge.to;
        next.parent = n;
        next.stays = true;
        if (const std::size_t bad = reach(std::move(next)); bad != no_node) return bad;
        continue;
      }
      std::size_t bad = no_node;
      for_each_step(edge.steps, [&](StepCode step) {
        if (bad != no_node || (classes_.source_of(step) >> before & 1) == 0) return;
        const Classes targets = edge.target & classes_.target_of(step) & limits_.events;
        for (unsigned after = 0; after < classes_.count() && bad == no_node; ++after) {
          if (targets >> after & 1) bad = take(n, edge.to, step, after);
        }
      });
      if (bad != no_node) return bad;
    }
    return no_node;
  }

  std::size_t take(std::size_t n, std::uint32_t to, StepCode step, unsigned after) {
    const CycleNode& node = nodes_[n];
    const unsigned location = count_change(node.location_changes, step, at_one_location, at_two_locations);
    const unsigned thread = count_change(node.thread_changes, step, in_one_thread, in_two_threads);
    if (to == left_.final && (after != node.first_class || location == 1 || thread == 1)) return no_node;
    return reach({to, node.first_class, after, location, thread, follow(node.relation, step, node.event_class, after),
                  n, step, false});
  }

  std::size_t reach(CycleNode next) {
    if (next.state != left_.final) {
      push(std::move(next));
      return no_node;
    }
    const bool possible =
        next.event_class == next.first_class && next.location_changes != 1 && next.thread_changes != 1;
    if (!possible || shows_forbidden(next.relation)) return no_node;
    nodes_.push_back(std::move(next));
    dropped_.push_back(true);
    if (!is_real_) return nodes_.size() - 1;
    InclusionResult candidate = counterexample(nodes_.size() - 1);
    // The same steps between other events are hardly more real.
    if (!tried_.insert(candidate.word.steps).second) return no_node;
    candidate_ = std::move(candidate);
    const bool stop = tried_.size() == maximal_candidates || is_real_(candidate_->word);
    return stop ? nodes_.size() - 1 : no_node;
  }

  struct Target {
    std::uint32_t to;
    bool completes;
  };
  using Targets = std::vector<std::vector<Target>>;  // by state

  // Where a step between events of two classes leads: worked out when it is first needed.
  const Targets& targets(StepCode step, unsigned before, unsigned after) {
    Targets& result = successors_[(std::size_t{step} * classes_.count() + before) * classes_.count() + after];
    if (!result.empty()) return result;
    result.resize(circles_.states());
    for (std::size_t s = 0; s < circles_.states(); ++s) {
      for (const Circles::Arrow& arrow : circles_.arrows[s]) {
        if ((arrow.steps >> step & 1) && (arrow.source >> before & 1) && (arrow.target >> after & 1))
          result[s].push_back({arrow.to, arrow.completes});
      }
    }
    return result;
  }

  BitSet follow(const BitSet& from, StepCode step, unsigned before, unsigned after) {
    BitSet result(rows_.size() * circles_.states() * 2);
    const Targets& all = targets(step, before, after);
    from.for_each([&](std::size_t bit) {
      const bool completed = bit & 1;
      const std::size_t state = bit / 2 % circles_.states();
      const std::size_t row_begin = bit - state * 2 - completed;
      for (const Target& target : all[state]) {
        if (completed && target.completes && !circles_.repeats[state]) continue;
        result.add(row_begin + target.to * 2 + (completed || target.completes));
      }
    });
    return result;
  }

  // Going round the word some number of times, is there a way from a state back to it that completes a forbidden word
  // (exactly one, if it must not be repeated)?
  bool shows_forbidden(const BitSet& relation) const {
    const std::size_t states = circles_.states();
    std::vector<std::size_t> row_of(states, states);
    for (std::size_t r = 0; r < rows_.size(); ++r) row_of[rows_[r]] = r;
    bool found = false;
    std::vector<std::pair<std::size_t, std::size_t>> completed;
    relation.for_each([&](std::size_t bit) {
      if ((bit & 1) == 0) return;
      const std::size_t to = bit / 2 % states, from = rows_[bit / 2 / states];
      if (to == from) found = true;
      completed.emplace_back(from, to);
    });
    for (std::size_t i = 0; i < completed.size() && !found; ++i) {
      const auto [from, to] = completed[i];
      std::vector<std::size_t> stack{to};
      std::vector<bool> seen(states, false);
      seen[to] = true;
      while (!stack.empty() && !found) {
        const std::size_t at = stack.back();
        stack.pop_back();
        if (at == from) found = true;
        if (row_of[at] == states) continue;
        for (std::size_t next = 0; next < states; ++next) {
          const bool way = relation.contains(index(row_of[at], next, false)) ||
                           (circles_.repeats[at] && relation.contains(index(row_of[at], next, true)));
          if (!way || seen[next]) continue;
          seen[next] = true;
          stack.push_back(next);
        }
      }
    }
    return found;
  }

  void push(CycleNode node) {
    auto& known = seen_[{node.state, node.first_class, node.event_class, node.location_changes, node.thread_changes}];
    for (std::size_t other : known) {
      if (nodes_[other].relation.subset_of(node.relation)) return;
    }
    std::erase_if(known, [&](std::size_t other) {
      if (!node.relation.subset_of(nodes_[other].relation)) return false;
      dropped_[other] = true;
      return true;
    });
    known.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
    dropped_.push_back(false);
  }

  InclusionResult counterexample(std::size_t last) const {
    std::vector<std::size_t> path;
    for (std::size_t n = last; n != no_node; n = nodes_[n].parent) path.push_back(n);
    InclusionResult result{Answer::no, {}, {}};
    Word& word = result.word;
    word.cycle = true;
    for (std::size_t i = path.size(); i-- > 0;) {
      const CycleNode& node = nodes_[path[i]];
      if (node.parent == no_node || !node.stays) {
        if (node.parent != no_node) word.steps.push_back(node.step);
        word.add_event(classes_, node.event_class);
      }
      result.path.emplace_back(node.state, word.names.size() - 1);
    }
    return result;
  }

  const Automaton& left_;
  const Circles& circles_;
  const std::vector<std::uint32_t> rows_;
  const LabelClasses& classes_;
  const Limits limits_;
  const std::function<bool(const Word&)>& is_real_;
  std::optional<InclusionResult> candidate_;
  std::set<std::vector<StepCode>> tried_;
  std::vector<Targets> successors_;  // by step and classes
  std::vector<CycleNode> nodes_;
  std::vector<bool> dropped_;
  std::map<std::tuple<std::uint32_t, unsigned, unsigned, unsigned, unsigned>, std::vector<std::size_t>> seen_;
};

}  // namespace

InclusionResult no_cycles(const Automaton& left, const std::vector<Forbidden>& forbidden, const LabelClasses& classes,
                          Rotation rotation, Limits limits, const std::function<bool(const Word&)>& is_real) {
  const Circles circles(forbidden);
  std::vector<std::uint32_t> rows = circles.initial;
  if (rotation == Rotation::all) {
    rows.resize(circles.states());
    std::iota(rows.begin(), rows.end(), 0);
  }
  const std::size_t node_size = rows.size() * circles.states() / 4 + 1;
  limits.nodes = std::min(limits.nodes, maximal_memory / node_size);
  return CycleSearch(left, circles, std::move(rows), classes, limits, is_real).run();
}

}  // namespace heddle::prover
