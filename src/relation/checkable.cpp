// See checkable.h. Tested in parser_test.cpp and tests/kat/errors.
#include "relation/checkable.h"

#include <algorithm>
#include <functional>

#include "relation/print_expression.h"
#include "relation/report_problem.h"

namespace heddle::relation {
namespace {

// The first leaf that satisfies the condition, or null.
const Expression* find_leaf(const Expression& e, const std::function<bool(const Expression&)>& condition) {
  if (e.parts.empty()) return condition(e) ? &e : nullptr;
  for (const ExpressionPointer& part : e.parts) {
    if (const Expression* found = find_leaf(*part, condition)) return found;
  }
  return nullptr;
}

class Requirements {
 public:
  Requirements(const ModelFile& model, Diagnostics& problems) : model_(model), report_(model.files, problems) {}

  void run() {
    for (const ViewDefinition& view : model_.views) require_known(*view.step, view.position);
    for (const Constraint& constraint : model_.constraints) require_known(*constraint.expression, constraint.position);
    for (const Rule& rule : model_.rules) {
      require_known(*rule.expression, rule.position);
      require_known(*rule.bound, rule.position);
    }
    for (std::size_t i = 1; i < model_.coherence_positions.size(); ++i)
      report_(model_.coherence_positions[i], "two included models each have a `coherence` statement",
              "a model that is checked has only one");
    if (model_.causal) require_causal();
    if (model_.constraints.empty() && !model_.coherence) {
      report_({0, 1, 1}, "the model allows everything: it has no `acyclic`, `irreflexive`, `empty` or `coherence`",
              "a model says what is forbidden; see docs/kat.md");
    }
  }

 private:
  void require_known(const Expression& e, Position position) {
    if (e.uses(feature_dependency)) {
      const Expression* leaf = find_leaf(e, [](const Expression& part) { return part.uses(feature_dependency); });
      report_(position, "this uses `" + leaf->name + "`, but dependency tracking is not supported yet",
              "models with dependencies can be given to the prover, not to `check`");
    }
    if (e.uses(feature_uninterpreted)) {
      const Expression* leaf = find_leaf(e, [](const Expression& part) { return part.uses(feature_uninterpreted); });
      const bool set = leaf->is_set();
      report_(position,
              "this uses `" + leaf->name + "`, a " + (set ? "predicate" : "relation") +
                  " that is only declared: no program says which events are in it",
              "define it with `let`");
    }
  }

  // The order that revisits cut along is built in.
  void require_causal() {
    using enum Primitive;
    const Expression& causal = *model_.causal;
    std::vector<Primitive> missing{po, rf, tc, tj};
    bool good = causal.kind == ExpressionKind::plus && causal.parts[0]->kind == ExpressionKind::alternative;
    if (good) {
      for (const ExpressionPointer& part : causal.parts[0]->parts)
        good = good && part->kind == ExpressionKind::primitive && std::erase(missing, part->primitive) == 1;
    }
    if (!good || !missing.empty())
      report_(model_.causal_position, "the causal order must be `(po | rf | tc | tj)+`",
              "models that track dependencies are not supported yet");
  }

  const ModelFile& model_;
  ProblemReporter report_;
};

}  // namespace

void require_checkable(const ModelFile& model, Diagnostics& problems) { Requirements(model, problems).run(); }

}  // namespace heddle::relation
