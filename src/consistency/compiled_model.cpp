// See compiled_model.h. Tested in checker_test.cpp.
#include "consistency/compiled_model.h"

#include <algorithm>

#include "automata/build.h"
#include "automata/reduce.h"
#include "consistency/rule_form.h"
#include "relation/lexer.h"
#include "relation/vocabulary.h"

namespace heddle::consistency {
namespace {

using automata::Nfa;
using automata::Step;
using automata::StepKind;

// The model language numbers labels without seeing the graph; both must mean the same bits.
constexpr bool same(std::string_view name, graph::Labels label) {
  return (graph::Labels{1} << relation::bit_of(name)) == label;
}
static_assert(same("R", graph::label_read) && same("W", graph::label_write) && same("F", graph::label_fence));
static_assert(same("NA", graph::label_plain) && same("RLX", graph::label_relaxed) && same("ACQ", graph::label_acquire));
static_assert(same("REL", graph::label_release) && same("SC", graph::label_sc) && same("UR", graph::label_rmw_read));
static_assert(same("UW", graph::label_rmw_write) && same("TC", graph::label_create) && same("TB", graph::label_begin));
static_assert(same("TE", graph::label_finish) && same("TJ", graph::label_join) && same("LR", graph::label_lock_read));
static_assert(same("LW", graph::label_lock_write) && same("UL", graph::label_unlock) &&
              same("ALLOC", graph::label_allocate));
static_assert(same("FREE", graph::label_free) && same("IW", graph::label_initial) && same("AT", graph::label_atomic));
static_assert(same("RX", graph::label_exclusive_read));

// (po | rf | tc | tj)+, reduced: one state with four unguarded loops.
bool is_causal(const Nfa& circle) {
  if (circle.states != 1 || circle.transitions.size() != 4) return false;
  bool po = false, rf = false, tc = false, tj = false;
  for (const automata::Transition& t : circle.transitions) {
    if (!t.source.trivial() || !t.target.trivial() || t.step.inverse) return false;
    po = po || t.step.kind == StepKind::po_imm;
    rf = rf || t.step.kind == StepKind::rf;
    tc = tc || t.step.kind == StepKind::tc;
    tj = tj || t.step.kind == StepKind::tj;
  }
  return po && rf && tc && tj;
}

bool contains_program_order(const Nfa& circle) {
  for (const automata::Transition& t : circle.transitions) {
    if (t.step == Step{StepKind::po_imm, false, 0} && t.from == circle.initial && t.to == circle.initial &&
        t.source.trivial() && t.target.trivial()) {
      return true;
    }
  }
  return false;
}

// Does every cycle of the automaton follow causality forwards? Graphs are only ever built along it, so such a cycle is
// never there to be found: a model has to state that there is none, but nothing has to be checked.
bool within_causality(const Nfa& nfa) {
  return nfa.empty_word.empty() &&
         std::all_of(nfa.transitions.begin(), nfa.transitions.end(),
                     [](const automata::Transition& t) { return !t.step.inverse && automata::is_causal(t.step.kind); });
}

bool is_late(const relation::Rule& rule) {
  return rule.expression->uses(relation::feature_late) || rule.bound->uses(relation::feature_late);
}

constexpr const char* too_large = "this expression makes an automaton that is too large";

}  // namespace

CompiledModel::CompiledModel(relation::ModelFile parsed, Diagnostics& problems) : file(std::move(parsed)) {
  compile_views(problems);
  if (!problems.empty()) return;
  compile_constraints(problems);
  compile_rules(problems);
  if (file.coherence) coherence = view_index[*file.coherence];
}

bool CompiledModel::has_late_parts() const {
  return !late_constraints.empty() ||
         std::any_of(compiled_rules.begin(), compiled_rules.end(), [](const CompiledRule& rule) { return rule.late; });
}

relation::ModelFile CompiledModel::ordinary_part() const {
  relation::ModelFile part = file;
  std::erase_if(part.constraints, [](const relation::Constraint& constraint) { return constraint.late; });
  std::erase_if(part.rules, [](const relation::Rule& rule) { return is_late(rule); });
  return part;
}

void CompiledModel::renumber_views(Nfa& nfa) const {
  for (automata::Transition& t : nfa.transitions) {
    if (t.step.kind >= StepKind::view_first) t.step.view = static_cast<std::uint8_t>(view_index[t.step.view]);
  }
}

void CompiledModel::compile_views(Diagnostics& problems) {
  view_circles.emplace_back();
  for (const relation::ViewDefinition& view : file.views) {
    std::optional<Nfa> circle = automata::build_circle(*view.step);
    if (!circle) {
      problems.push_back(relation::diagnostic_at(file.files, view.position, too_large));
      return;
    }
    renumber_views(*circle);
    automata::reduce(*circle);
    circle->empty_word.clear();  // every view contains its own event anyway
    if (!contains_program_order(*circle)) {
      problems.push_back(relation::diagnostic_at(file.files, view.position,
                                                 "the view `" + view.name + "` does not contain program order",
                                                 "add `po |` to it: views are kept as vector clocks"));
      return;
    }
    if (is_causal(*circle)) {
      view_index.push_back(0);
      continue;
    }
    if (view_count == 16) {
      problems.push_back(relation::diagnostic_at(file.files, view.position, "a model can have at most 15 views"));
      return;
    }
    view_index.push_back(view_count++);
    view_circles.push_back(std::move(*circle));
  }
}

void CompiledModel::compile_constraints(Diagnostics& problems) {
  for (const relation::Constraint& constraint : file.constraints) {
    if (constraint.late) {
      late_constraints.push_back(static_cast<unsigned>(&constraint - file.constraints.data()));
      continue;
    }
    const bool circle = constraint.kind == relation::ConstraintKind::acyclic;
    const automata::BuildOptions options{.sparse_views = constraint.kind != relation::ConstraintKind::empty};
    std::optional<Nfa> nfa = circle ? automata::build_circle(*constraint.expression, options)
                                    : automata::build(*constraint.expression, options);
    if (!nfa) {
      problems.push_back(relation::diagnostic_at(file.files, constraint.position, too_large));
      continue;
    }
    renumber_views(*nfa);
    automata::reduce(*nfa);
    if (constraint.kind != relation::ConstraintKind::empty && within_causality(*nfa)) continue;
    constraints.push_back({constraint.kind, constraint.text, std::move(*nfa)});
  }
}

void CompiledModel::compile_rules(Diagnostics& problems) {
  for (const relation::Rule& rule : file.rules) {
    const auto refuse = [&](const std::string& message, const std::string& hint = {}) {
      problems.push_back(relation::diagnostic_at(file.files, rule.position, message, hint));
    };
    CompiledRule compiled;
    compiled.conflict = rule.conflict;
    compiled.late = is_late(rule);
    if (rule.conflict && rule.view) compiled.view = view_index[*rule.view];
    const std::string part = compiled.late ? "" : compile_rule(rule, compiled);
    if (part == too_large)
      refuse(part);
    else if (!part.empty())
      refuse("the rule `" + rule.name + "` cannot be checked while an execution grows: " + part,
             "the usual form is `[S] ; loc ; [T] <= view`; docs/kat.md tells what else a rule may use");
    if (!part.empty()) continue;
    rules.push_back({rule.name, rule.warning});
    compiled_rules.push_back(std::move(compiled));
  }
}

// What is wrong with the rule; empty if nothing is.
std::string CompiledModel::compile_rule(const relation::Rule& rule, CompiledRule& compiled) const {
  constexpr automata::BuildOptions dense{.sparse_views = false, .sparse_orders = false};
  const auto build = [&](const relation::Expression& expression) -> std::optional<Nfa> {
    std::optional<Nfa> nfa = automata::build(expression, dense);
    if (nfa) renumber_views(*nfa);
    return nfa;
  };
  std::optional<Nfa> expression = build(*rule.expression);
  if (!expression) return too_large;
  if (rule.conflict) {
    for (const automata::Transition& t : expression->transitions) compiled.pairs.emplace_back(t.source, t.target);
    if (compiled.view) return "";
  } else {
    const std::string problem = problem_of_pairs(*rule.expression, *expression);
    if (!problem.empty()) return "its left side " + problem;
    automata::reduce(*expression);
    compiled.expression = std::move(*expression);
  }
  std::optional<Nfa> bound = build(*rule.bound);
  if (!bound) return too_large;
  const std::string problem = problem_of_bound(*rule.bound, *bound);
  if (!problem.empty()) return "its right side " + problem;
  automata::reduce(*bound);
  compiled.bound = std::move(*bound);
  return "";
}

}  // namespace heddle::consistency
