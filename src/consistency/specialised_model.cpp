// See the header. Tested through the checkers: checker_test.cpp and random_graphs_test.cpp.
#include "consistency/specialised_model.h"

#include <algorithm>

#include "automata/reduce.h"
#include "consistency/cycle_filter.h"

namespace heddle::consistency {

using automata::Guard;
using automata::Nfa;
using relation::ConstraintKind;

namespace {

// Joins the accepting state of an automaton to its initial one.
Nfa close_circle(Nfa nfa) {
  for (automata::Transition& t : nfa.transitions) {
    if (nfa.accepting[t.to]) t.to = nfa.initial;
  }
  nfa.accepting.assign(nfa.states, false);
  nfa.accepting[nfa.initial] = true;
  automata::trim(nfa);
  return nfa;
}

// Does some word of a view, other than program order itself, end with a step of program order to a read? Then a read
// knows more than the event before it, even without its source.
bool grows_without_source(const Nfa& circle) {
  using automata::StepKind;
  return std::any_of(circle.transitions.begin(), circle.transitions.end(), [&](const automata::Transition& t) {
    const bool program_order =
        t.step.kind == StepKind::po_imm || t.step.kind == StepKind::po_loc || t.step.kind == StepKind::po_other;
    const bool to_read = !automata::conjunction({t.target}, {Guard{graph::label_read, graph::label_read}}).empty();
    return program_order && to_read && t.to == circle.initial && t.from != circle.initial;
  });
}

SpecialisedConstraint make_constraint(const CompiledConstraint& compiled, const std::vector<graph::Labels>& labels) {
  SpecialisedConstraint constraint{compiled.kind, compiled.automaton, false, false};
  Nfa& nfa = constraint.automaton;
  automata::specialize(nfa, labels);
  constraint.filtered = compiled.kind != ConstraintKind::empty && CycleFilter::applies_to(nfa);
  if (compiled.kind == ConstraintKind::acyclic) constraint.marked = !automata::every_cycle_passes_initial(nfa);
  if (compiled.kind == ConstraintKind::irreflexive) nfa = close_circle(std::move(nfa));
  return constraint;
}

bool satisfiable(const Guard& guard, const std::vector<graph::Labels>& labels) {
  return labels.empty() || std::any_of(labels.begin(), labels.end(), [&](auto l) { return guard.holds(l); });
}

SpecialisedRule make_rule(const ErrorRule& rule, const CompiledRule& compiled,
                          const std::vector<graph::Labels>& labels) {
  SpecialisedRule made{&rule, {}, compiled.view.value_or(0), true, {}};
  if (!compiled.view) {
    made.general.emplace(compiled, labels);
    return made;
  }
  for (const auto& [a, b] : compiled.pairs) {
    if (!satisfiable(a, labels) || !satisfiable(b, labels)) continue;
    made.pairs.emplace_back(a, b);
    if (!((a.value | b.value) & graph::label_plain)) made.needs_plain = false;
  }
  return made;
}

std::string shrunk(const std::string& what, std::size_t before, std::size_t after) {
  return what + ": " + std::to_string(after) + " of " + std::to_string(before) + " steps can occur in this program";
}

}  // namespace

SpecialisedModel::SpecialisedModel(const CompiledModel& model, std::vector<graph::Labels> given)
    : labels(std::move(given)), views(model.view_circles) {
  if (!labels.empty()) labels.push_back(graph::label_write | graph::label_initial);
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views[i].states > 0) automata::specialize(views[i], labels);
    const std::size_t before = model.view_circles[i].transitions.size(), after = views[i].transitions.size();
    if (after == before) continue;
    const auto named = std::find(model.view_index.begin(), model.view_index.end(), i) - model.view_index.begin();
    simplifications.push_back(shrunk("view " + model.file.views[static_cast<std::size_t>(named)].name, before, after));
  }
  views_grow_without_source = std::any_of(views.begin(), views.end(), grows_without_source);
  for (const CompiledConstraint& compiled : model.constraints) {
    SpecialisedConstraint made = make_constraint(compiled, labels);
    const std::size_t before = compiled.automaton.transitions.size(), after = made.automaton.transitions.size();
    if (made.automaton.empty())
      simplifications.push_back(compiled.text + ": cannot be broken by this program, not checked");
    else if (after < before)
      simplifications.push_back(shrunk(compiled.text, before, after));
    if (!made.automaton.empty()) constraints.push_back(std::move(made));
  }
  for (std::size_t i = 0; i < model.rules.size(); ++i) {
    if (model.compiled_rules[i].late) continue;
    SpecialisedRule made = make_rule(model.rules[i], model.compiled_rules[i], labels);
    if (made.general ? !made.general->never_applies() : !made.pairs.empty())
      rules.push_back(std::move(made));
    else
      simplifications.push_back("rule " + model.rules[i].name + ": cannot be broken by this program, not checked");
  }
  std::stable_partition(rules.begin(), rules.end(), [](const SpecialisedRule& rule) { return !rule.rule->warning; });
}

std::uint32_t accepting_state(const Nfa& nfa) {
  const auto found = std::find(nfa.accepting.begin(), nfa.accepting.end(), true);
  return static_cast<std::uint32_t>(found - nfa.accepting.begin());
}

}  // namespace heddle::consistency
