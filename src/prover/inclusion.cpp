// See inclusion.h. Tested in inclusion_test.cpp.
#include "prover/inclusion.h"

#include <algorithm>
#include <deque>
#include <map>

#include "prover/bit_set.h"

namespace heddle::prover {
namespace {

struct PairNode {
  std::uint32_t state;
  unsigned event_class;
  BitSet right;
  std::size_t parent;
  StepCode step;
};

constexpr std::size_t no_parent = ~std::size_t{0};

Word word_of(const std::vector<PairNode>& nodes, std::size_t last, const LabelClasses& classes) {
  std::vector<std::size_t> path;
  for (std::size_t n = last; n != no_parent; n = nodes[n].parent) path.push_back(n);
  Word word;
  for (std::size_t i = path.size(); i-- > 0;) {
    const PairNode& node = nodes[path[i]];
    if (node.parent != no_parent) word.steps.push_back(node.step);
    word.add_event(classes, node.event_class);
  }
  return word;
}

class InclusionSearch {
 public:
  InclusionSearch(const Automaton& left, const Automaton& right, const LabelClasses& classes, Limits limits)
      : left_(left), right_(right), classes_(classes), limits_(limits) {}

  InclusionResult run() {
    for (unsigned c = 0; c < classes_.count(); ++c) {
      if ((left_.empty & ~right_.empty) >> c & 1) {
        Word word;
        word.add_event(classes_, c);
        return {Answer::no, word, {}};
      }
      BitSet start(right_.states());
      start.add(right_.initial);
      push({left_.initial, c, std::move(start), no_parent, 0});
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (dropped_[n]) continue;
      if (const std::size_t bad = expand(n); bad != no_parent) return {Answer::no, word_of(nodes_, bad, classes_), {}};
      if (nodes_.size() > limits_.nodes) return {Answer::unknown, {}, {}};
    }
    return {Answer::yes, {}, {}};
  }

 private:
  // Returns a node that shows a counterexample, if one appears.
  std::size_t expand(std::size_t n) {
    const std::uint32_t state = nodes_[n].state;
    const unsigned before = nodes_[n].event_class;
    for (const Edge& edge : left_.edges[state]) {
      if ((edge.source >> before & 1) == 0) continue;
      std::size_t bad = no_parent;
      for_each_step(edge.steps, [&](StepCode step) {
        if (bad != no_parent || (classes_.source_of(step) >> before & 1) == 0) return;
        const Classes targets = edge.target & classes_.target_of(step);
        for (unsigned after = 0; after < classes_.count() && bad == no_parent; ++after) {
          if ((targets >> after & 1) == 0) continue;
          PairNode next{edge.to, after, follow(nodes_[n].right, step, before, after), n, step};
          const bool accepted =
              next.right.contains(right_.final) || (next.right.contains(right_.initial) && (right_.empty >> after & 1));
          if (edge.to == left_.final) {
            if (accepted) continue;
            nodes_.push_back(std::move(next));
            bad = nodes_.size() - 1;
            return;
          }
          push(std::move(next));
        }
      });
      if (bad != no_parent) return bad;
    }
    return no_parent;
  }

  BitSet follow(const BitSet& from, StepCode step, unsigned before, unsigned after) const {
    BitSet result(right_.states());
    from.for_each([&](std::size_t s) {
      for (const Edge& edge : right_.edges[s]) {
        if ((edge.steps >> step & 1) && (edge.source >> before & 1) && (edge.target >> after & 1)) result.add(edge.to);
      }
    });
    return result;
  }

  void push(PairNode node) {
    auto& known = seen_[{node.state, node.event_class}];
    for (std::size_t other : known) {
      if (nodes_[other].right.subset_of(node.right)) return;
    }
    std::erase_if(known, [&](std::size_t other) {
      if (!node.right.subset_of(nodes_[other].right)) return false;
      dropped_[other] = true;  // if it is still to be expanded, this one does it for it
      return true;
    });
    known.push_back(nodes_.size());
    nodes_.push_back(std::move(node));
    dropped_.push_back(false);
  }

  const Automaton& left_;
  const Automaton& right_;
  const LabelClasses& classes_;
  const Limits limits_;
  std::vector<PairNode> nodes_;
  std::vector<bool> dropped_;
  std::map<std::pair<std::uint32_t, unsigned>, std::vector<std::size_t>> seen_;
};

}  // namespace

InclusionResult included(const Automaton& left, const Automaton& right, const LabelClasses& classes, Limits limits) {
  return InclusionSearch(left, right, classes, limits).run();
}

InclusionResult included(const relation::Expression& left, const relation::Expression& right, Theory theory,
                         Limits limits) {
  try {
    const LabelClasses classes({&left, &right});
    const Automaton from = left_automaton(left, classes);
    return included(from, right_automaton(right, classes, theory, alphabet(from)), classes, limits);
  } catch (const TooLarge&) {
    return {Answer::unknown, {}, {}};
  }
}

}  // namespace heddle::prover
