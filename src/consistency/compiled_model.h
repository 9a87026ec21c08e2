// A model in the form that checkers use: its parsed file, and one automaton for every constraint and view.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "automata/nfa.h"
#include "consistency/model.h"
#include "graph/labels.h"
#include "relation/model_file.h"

namespace heddle::consistency {

struct CompiledConstraint {
  relation::ConstraintKind kind{};
  std::string text;
  // acyclic: a circle (automata/build.h). irreflexive, empty: initial and accepting state differ.
  automata::Nfa automaton;
};

// `error NAME unless e1 <= e2`; relation::Rule tells how conflicts are read.
struct CompiledRule {
  bool conflict = true;
  bool late = false;  // only check_full can tell, when the execution has ended; the rest is then empty
  std::vector<std::pair<automata::Guard, automata::Guard>> pairs;  // conflict: two events at one location, in any order
  std::optional<unsigned> view;  // that must order them; none: a general bound
  automata::Nfa expression, bound;  // dense; of rules that are no conflict, or whose bound is no view
};

class CompiledModel {
 public:
  // Adds to `problems` if the file asks for something that cannot be checked.
  CompiledModel(relation::ModelFile file, Diagnostics& problems);

  relation::ModelFile file;
  std::vector<unsigned> view_index;  // view of the file -> view of the graph; 0 is the causal one
  unsigned view_count = 1;
  std::vector<automata::Nfa> view_circles;  // by view of the graph; the first (causal) is built in and empty
  std::vector<CompiledConstraint> constraints;  // without the late ones
  // Indices into file.constraints: these have no automaton. Only check_full.h can tell whether they hold, and only when
  // the execution has ended; nothing may be called verified without asking it.
  std::vector<unsigned> late_constraints;
  std::vector<ErrorRule> rules;
  std::vector<CompiledRule> compiled_rules;  // in the order of `rules`
  std::optional<unsigned> coherence;  // a view of the graph

  bool has_late_parts() const;
  relation::ModelFile ordinary_part() const;  // the file without its late constraints and rules

 private:
  void compile_views(Diagnostics& problems);
  void compile_constraints(Diagnostics& problems);
  void compile_rules(Diagnostics& problems);
  std::string compile_rule(const relation::Rule& rule, CompiledRule& compiled) const;
  void renumber_views(automata::Nfa& nfa) const;
};

}  // namespace heddle::consistency
