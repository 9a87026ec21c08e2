// Rules of the theory that need a path of the automaton, not a single step: added to the right side of an inclusion.
#pragma once

#include "prover/automaton.h"

namespace heddle::prover {

// Adds words that lead along pairs that the automaton accepts already. `left`: the steps that matter.
//  * A step and its inverse that return to where they began: rf ; rf^-1, rmw ; rmw^-1, ... may be put anywhere.
//  * Where po-imm can be repeated any number of times, po can be taken instead; likewise co-imm and co, and
//    fr-imm ; co-imm* and fr; and fr instead of rf^-1 ; co.
void saturate(Automaton& automaton, const LabelClasses& classes, Steps left);

}  // namespace heddle::prover
