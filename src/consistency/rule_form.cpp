// See rule_form.h. Tested in checker_test.cpp.
#include "consistency/rule_form.h"

#include <vector>

#include "graph/labels.h"

namespace heddle::consistency {
namespace {

using relation::Expression;
using relation::Primitive;

bool disappears(const Expression& e) {
  if (e.kind == relation::ExpressionKind::primitive)
    return e.primitive == Primitive::co_imm || e.primitive == Primitive::fr_imm;
  for (const relation::ExpressionPointer& part : e.parts) {
    if (disappears(*part)) return true;
  }
  return false;
}

constexpr const char* disappearing = "uses co-imm or fr-imm, whose pairs disappear when a write comes between them";

// The target of the transition is a read or a write.
bool ends_at_access(const automata::Transition& t) {
  for (const automata::Guard& guard : automata::conjunction({t.target}, {automata::target_of(t.step)})) {
    if ((guard.value & (graph::label_read | graph::label_write)) == 0) return false;
  }
  return true;
}

}  // namespace

std::string problem_of_pairs(const Expression& expression, const automata::Nfa& automaton) {
  if (disappears(expression)) return disappearing;
  for (const automata::Transition& t : automaton.transitions) {
    if (t.step.inverse) return "goes backwards with `^-1`";
    if (automaton.accepting[t.to] && !ends_at_access(t)) return "has pairs that do not end at a read or a write";
  }
  return "";
}

std::string problem_of_bound(const Expression& expression, const automata::Nfa& automaton) {
  if (disappears(expression)) return disappearing;
  // The states that can be reached after the first step that is not backwards and causal: forward causal steps only.
  std::vector<bool> backwards(automaton.states), forwards(automaton.states);
  backwards[automaton.initial] = true;
  for (bool changed = true; changed;) {
    changed = false;
    const auto mark = [&](std::vector<bool>& set, std::uint32_t state) {
      changed = changed || !set[state];
      set[state] = true;
    };
    for (const automata::Transition& t : automaton.transitions) {
      const bool causal = automata::is_causal(t.step.kind);
      if (forwards[t.from]) {
        if (!causal || t.step.inverse) return "can become true later, through an event that is not there yet";
        mark(forwards, t.to);
      }
      if (backwards[t.from]) mark(causal && t.step.inverse ? backwards : forwards, t.to);
    }
  }
  return "";
}

}  // namespace heddle::consistency
