// Expressions to automata, by positions (Glushkov): every step of the expression is a state, so there are no empty
// transitions to remove, and the initial state is never entered again.
//
// Relations that are transitive in every graph become single steps of their sparse cores: po = po-imm+,
// co = co-imm+, fr = fr-imm ; co-imm*, and a view v = first(v) ; po-imm* because views are closed under po.
#pragma once

#include <optional>

#include "automata/nfa.h"

namespace heddle::automata {

struct BuildOptions {
  bool sparse_views = true;   // false: a view is one dense step, which can be reversed
  bool sparse_orders = true;  // false: co and fr are dense steps, whose walks visit nothing between their ends
};

// The automaton of the relation, with one initial and one accepting state; none if it would be too large.
std::optional<Nfa> build(const relation::Expression& relation, BuildOptions options = {});

// The automaton of relation+ as a circle: one state is initial and accepting, and every visit of it separates two
// words of the relation. A walk through the graph that returns to its first event and to its first state, and passes
// the circle's state, is a cycle of the relation.
std::optional<Nfa> build_circle(const relation::Expression& relation, BuildOptions options = {});

}  // namespace heddle::automata
