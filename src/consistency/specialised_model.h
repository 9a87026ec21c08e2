// A model fitted to one program: what both checkers, the table-driven one and compiled code, work from. Parts that no
// event of the program can ever satisfy are dropped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "automata/nfa.h"
#include "consistency/compiled_model.h"
#include "consistency/general_rules.h"
#include "graph/labels.h"

namespace heddle::consistency {

struct SpecialisedConstraint {
  relation::ConstraintKind kind{};
  automata::Nfa automaton;   // acyclic, irreflexive: a circle; empty: from its initial to its accepting state
  bool marked = false;       // acyclic: cycles that avoid the initial state exist and must be told apart
  bool filtered = false;     // no cycle of the plain relations, no cycle here (cycle_filter.h)
};

struct SpecialisedRule {
  const ErrorRule* rule = nullptr;
  std::vector<std::pair<automata::Guard, automata::Guard>> pairs;
  unsigned view = 0;
  bool needs_plain = true;   // every pair has a non-atomic side
  std::optional<GeneralRule> general;  // instead of all this
};

struct SpecialisedModel {
  // `labels`: every combination that an event of the program can have; empty: nothing is known.
  SpecialisedModel(const CompiledModel& model, std::vector<graph::Labels> labels);

  std::vector<graph::Labels> labels;  // sorted, with that of initial writes; empty: nothing is known
  std::vector<automata::Nfa> views;   // circles, by view of the graph; that of view 0 is built in and empty
  std::vector<SpecialisedConstraint> constraints;
  // Some view contains more of a read than of the event before it, even while the read has no source.
  bool views_grow_without_source = false;
  // What could be left out for this program, as sentences.
  std::vector<std::string> simplifications;
  std::vector<SpecialisedRule> rules; // errors before warnings; they point into the model
};

// The only accepting state of the automaton of an `empty` constraint.
std::uint32_t accepting_state(const automata::Nfa& nfa);

}  // namespace heddle::consistency
