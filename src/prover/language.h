// Relational expressions to automata, for the two sides of an inclusion e1 <= e2.
//
// The left automaton accepts at least every way in which a pair can be in e1: each primitive becomes the letters it
// consists of. The right automaton accepts only words that lead along pairs of e2, but as many of them as the theory
// of execution graphs knows: where e2 takes a step of co, the word may go rf ; fr instead, and so on. An inclusion of
// the two languages is then an inclusion of the relations in every graph (thesis 3.4: assumptions are eliminated by
// substitution and by saturation of the right side).
//
// The theory: kinds of events are disjoint; domains and ranges of the primitives; po, co and loc are transitive;
// po-loc, rfi and rmw are inside po, rmw inside po-imm; rf, co, fr, rmw and po-loc keep the location;
// rf ; rf^-1 <= id (also for rmw, tc, tj, po-imm and co-imm, both ways round); fr = rf^-1 ; co; rf ; fr <= co;
// fr ; co <= fr; po = po-imm+, co = co-imm+, fr = fr-imm ; co-imm*; initial writes are first in co and outside po.
#pragma once

#include <vector>

#include "prover/automaton.h"
#include "relation/model_file.h"

namespace heddle::prover {

// What may be assumed beyond what every graph satisfies.
struct Theory {
  bool reads_own_past = true;  // a thread reads its own writes only after them: rfi <= po
  // po ; co, po ; fr, po ; co ; rf, po ; fr ; rf and po ; rf are irreflexive, hence, since co is total on a location
  // and po on a thread: coi, fri <= po-loc; rmw <= fr; [R] ; po-loc ; [W] <= fr; [W] ; rf? ; po-loc ; fr? ; [W] <= co
  bool coherent = false;
};

// Replaces views by the closures they stand for.
relation::ExpressionPointer inline_views(const relation::ExpressionPointer& relation,
                                         const std::vector<relation::ViewDefinition>& views);

// All of these throw TooLarge; expressions must be without views.
Automaton left_automaton(const relation::Expression& relation, const LabelClasses& classes);

// For a cycle of relation+: of all ways to read the cycle, at least one. (A cycle with program order at both ends of
// its word is also read from one event later or earlier, where the two steps are one.)
Automaton left_cycle_automaton(const relation::Expression& relation, const LabelClasses& classes);

// `left`: the steps that can occur on the left; what cannot occur there need not be added.
Automaton right_automaton(const relation::Expression& relation, const LabelClasses& classes, Theory theory, Steps left);

}  // namespace heddle::prover
