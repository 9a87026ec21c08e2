// Is every word of one automaton accepted by another? The right side is made deterministic on the fly, breadth first,
// so that a counterexample is as short as possible; a set of right states that contains one seen before with the same
// left state and label class can be dropped (antichains).
#pragma once

#include <utility>
#include <vector>

#include "prover/automaton.h"
#include "prover/language.h"
#include "prover/word.h"

namespace heddle::prover {

enum class Answer : std::uint8_t { yes, no, unknown };

struct InclusionResult {
  Answer answer = Answer::unknown;
  Word word;  // of `no`: on the left and not on the right
  // Of `no`, from cycles.h: the left states on the way, each with the number of the word's event it was at.
  std::vector<std::pair<std::uint32_t, std::size_t>> path;
};

struct Limits {
  std::size_t nodes = 100000;      // after that many, the answer is `unknown`
  Classes events = ~Classes{0};    // cycles.h: only words over these events; `yes` is then no proof
};

InclusionResult included(const Automaton& left, const Automaton& right, const LabelClasses& classes,
                         Limits limits = {});

// The same for expressions without views: e1 <= e2 in every graph? `no` only says that the theory does not prove it;
// the word is then the reason why.
InclusionResult included(const relation::Expression& left, const relation::Expression& right, Theory theory = {},
                         Limits limits = {});

}  // namespace heddle::prover
