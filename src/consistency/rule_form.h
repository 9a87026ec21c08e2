// Which rules `error NAME unless e1 <= e2` can be checked while a graph grows, event by event.
//
// An error, once found, must stay one: pairs of e1 may only appear, and whether a pair is in e2 must be settled as soon
// as both events are there. So e1 must not use co-imm and fr-imm, whose pairs disappear when a write is placed between
// them. It goes forwards only and ends at an access, because rules are checked when an access is added. In e2 every
// event on the way must be causally before one of the two ends: backward causal steps, then at most one other step,
// then forward causal steps.
#pragma once

#include <string>

#include "automata/nfa.h"
#include "relation/expression.h"

namespace heddle::consistency {

// What stands in the way, for a message; empty if nothing does. The automata are dense (automata/build.h).
std::string problem_of_pairs(const relation::Expression& expression, const automata::Nfa& automaton);
std::string problem_of_bound(const relation::Expression& expression, const automata::Nfa& automaton);

}  // namespace heddle::consistency
