// Extensibility (thesis 5.4): a graph that a model allows stays allowed when one more event is added in the newest way:
// last in its thread, a write last in coherence, a read from the last write.
//
// Such an event e has no outgoing edge of po, rf, co, fr, rmw, tc or tj. Words can leave it only by an inverse step or
// by loc, as in po ; rf^-1. For a word that does, the prover asks what is known about the two events x and y beside e
// without e: from x rf e and y rf e follows x = y, and so on. If the word with x -...-> y instead of x -..-> e -..-> y
// is forbidden in any case, e did not break anything; otherwise the word is a counterexample.
#pragma once

#include <vector>

#include "prover/claim.h"
#include "prover/inclusion.h"

namespace heddle::prover {

// yes: adding an event maximally cannot break the claim in a graph that satisfies all `claims`. The word of `no` has
// the new event marked.
InclusionResult extensible(const Claim& claim, const std::vector<Claim>& claims, Limits limits);

}  // namespace heddle::prover
