// From irreflexivity to irreflexivity (thesis 3.5): can a word of the left automaton be a cycle in a graph in which no
// word of the assumptions is one?
//
// A cycle has no first event, so it may be read from any of its events (rotation) and several times round
// (deduplication) to find a forbidden cycle in it. The search therefore keeps, instead of a set of states, the relation
// between states that the word so far induces: from which state of the assumptions it leads to which, and whether a
// word of the assumption was completed on the way. Words that cannot be cycles are dropped: their ends differ in
// labels, exactly one step changes the location or exactly one step changes the thread (the thesis' same ends).
#pragma once

#include <functional>
#include <vector>

#include "prover/inclusion.h"

namespace heddle::prover {

// No word of `automaton` is a cycle; `repeats`: nor is a sequence of several.
struct Forbidden {
  Automaton automaton;
  bool repeats = false;
};

// yes: no word of `left` can be a cycle. no: the word that could be one, as far as the theory knows. Without rotation
// only words that begin where a forbidden word begins are recognised: much cheaper, and often enough.
//
// `is_real`, if given, is asked about every candidate for a counterexample; if it says no, the search goes on and tries
// a few others, which may be longer. The answer is then about the last one.
enum class Rotation : std::uint8_t { none, all };
InclusionResult no_cycles(const Automaton& left, const std::vector<Forbidden>& forbidden, const LabelClasses& classes,
                          Rotation rotation, Limits limits = {}, const std::function<bool(const Word&)>& is_real = {});

}  // namespace heddle::prover
