// Builds automata by positions (Glushkov): every step of an expression is a state, so there are no empty edges.
#pragma once

#include <vector>

#include "prover/automaton.h"

namespace heddle::prover {

// Part of an automaton: how it can begin and end, and at which events it can be skipped.
struct Fragment {
  struct End {
    std::uint32_t position;
    Classes guard;
  };
  Classes skip = 0;
  std::vector<End> first, last;
};

class Fragments {
 public:
  // `merge`: a transitive relation twice in a row, with no test between, is the same relation once. For left sides.
  Fragments(const LabelClasses& classes, bool merge) : classes_(classes), merge_(merge) {}

  Fragment step(Steps set);
  Fragment skippable(Fragment fragment) const;
  Fragment repeated(Fragment fragment);
  Fragment joined(Fragment left, const Fragment& right);
  static Fragment either(Fragment left, const Fragment& right);

  // `cycle`: the words are read as cycles, see left_cycle_automaton.
  Automaton assemble(const Fragment& whole, bool cycle) const;

 private:
  struct Link {
    std::uint32_t from, to;
    Classes guard;
  };
  using Ends = std::vector<Fragment::End>;

  void link(const Ends& from, const Ends& to);
  bool composable(std::uint32_t a, std::uint32_t b, Classes guard) const;
  bool merges_with_itself(const Fragment& whole, std::uint32_t position) const;

  const LabelClasses& classes_;
  const bool merge_;
  std::vector<Steps> steps_;  // of each position
  std::vector<Link> links_;
};

}  // namespace heddle::prover
