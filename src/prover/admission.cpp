// See admission.h. Tested in admission_test.cpp on the models of tests/kat/admission and the shipped ones.
#include "prover/admission.h"

#include <algorithm>

#include "prover/extensibility.h"
#include "prover/implication.h"
#include "prover/print_graph.h"
#include "relation/lexer.h"
#include "relation/print_expression.h"

namespace heddle::prover {
namespace {

using relation::ConstraintKind;
using relation::Expression;
using relation::ExpressionKind;
using relation::ExpressionPointer;
using relation::make_expression;
using relation::Primitive;

constexpr Limits limits{20000};

ExpressionPointer closure_of(ExpressionPointer step) {
  return make_expression(ExpressionKind::plus, {std::move(step)});
}

// co-imm and fr-imm as co and fr; null if there is nothing to replace.
ExpressionPointer without_immediate(const ExpressionPointer& e) {
  if (e->kind == ExpressionKind::primitive) {
    if (e->primitive == Primitive::co_imm) return primitive(Primitive::co);
    if (e->primitive == Primitive::fr_imm) return primitive(Primitive::fr);
    return nullptr;
  }
  std::vector<ExpressionPointer> parts = e->parts;
  bool changed = false;
  for (ExpressionPointer& part : parts) {
    const ExpressionPointer replaced = part->is_set() ? nullptr : without_immediate(part);
    if (!replaced) continue;
    part = replaced;
    changed = true;
  }
  if (!changed) return nullptr;
  auto copy = std::make_shared<Expression>(*e);
  copy->parts = std::move(parts);
  return copy;
}

class Admission {
 public:
  Admission(const relation::ModelFile& model, ExpressionPointer causal)
      : model_(model), causal_(inline_views(causal, model.views)), claims_(claims_of(model)) {
    all_claims_ = claims_;
    for (Claim& claim : built_in_claims()) all_claims_.push_back(std::move(claim));
    all_claims_.push_back(causally_acyclic());
  }

  std::vector<Obligation> run() {
    check_causal_order();
    for (const relation::ViewDefinition& view : model_.views) check_view(view);
    for (const Claim& claim : claims_) {
      check_prefix(claim);
      check_extension(claim);
    }
    for (const relation::Rule& rule : model_.rules) check_rule(rule);
    return std::move(obligations_);
  }

 private:
  Diagnostic at(relation::Position position, std::string message, std::string hint) const {
    if (position.line != 0) return relation::diagnostic_at(model_.files, position, std::move(message), std::move(hint));
    return {model_.files.empty() ? "" : model_.files[0].path, 0, 0, std::move(message), std::move(hint), ""};
  }

  // `failure`: the message if the word is a counterexample.
  void add(ObligationKind kind, std::string subject, relation::Position position, const InclusionResult& result,
           const std::string& failure, std::string hint) {
    Obligation obligation{kind, ObligationStatus::proved, std::move(subject), {}, {}};
    if (result.answer == Answer::no) {
      obligation.status = ObligationStatus::failed;
      obligation.word = result.word;
      obligation.diagnostic = at(position, failure + ": " + print_word(result.word), std::move(hint));
    } else if (result.answer == Answer::unknown) {
      obligation.status = ObligationStatus::unknown;
      obligation.diagnostic = at(position,
                                 "cannot decide whether `" + obligation.subject +
                                     "` satisfies an obligation of models: " + std::string(name_of(kind)),
                                 "write it in a simpler way: shorter, or without inverses");
    }
    obligations_.push_back(std::move(obligation));
  }

  void check_causal_order() {
    add(ObligationKind::causal_order, "causal", model_.causal_position,
        included(*closure_of(required_step()), *causal_, {}, limits), "the causal order does not contain rf, tc and tj",
        "declare `causal (po | rf | tc | tj)+`");
    add(ObligationKind::causal_order, "causal", model_.causal_position, included(*causal_, *causal_order(), {}, limits),
        "the causal order contains more than program order, reads-from, thread creation and joining",
        "declare `causal (po | rf | tc | tj)+`");
    const Claim acyclic{ConstraintKind::acyclic, causal_, "the causal order is acyclic", {}};
    const Verdict verdict = prove(acyclic, claims_, {.causal = false, .look_for_graph = true, .limits = limits});
    InclusionResult result{verdict.status == Status::proved ? Answer::yes : Answer::no, verdict.word, {}};
    if (result.answer == Answer::no && verdict.word.names.empty()) result.answer = Answer::unknown;
    std::string hint = "add `acyclic po | rf | tc | tj`";
    if (verdict.graph) {
      hint += "; allowed without it:\n" + print_graph(*verdict.graph);
      hint.pop_back();  // the last line break
    }
    add(ObligationKind::causal_order, "acyclic causal", place_of_causality(), result,
        "the constraints do not rule out cycles of the causal order", std::move(hint));
  }

  // Where the order is declared; else the last constraint of the file itself: a further one belongs there.
  relation::Position place_of_causality() const {
    if (model_.causal) return model_.causal_position;
    relation::Position last;
    for (const relation::Constraint& constraint : model_.constraints)
      if (constraint.position.file == 0) last = constraint.position;
    return last;
  }

  static ExpressionPointer required_step() {
    return any_of({primitive(Primitive::rf), primitive(Primitive::tc), primitive(Primitive::tj)});
  }

  // Every event of a word of the view must be causally before the word's end: also every suffix of a word.
  InclusionResult inside_prefix(const ExpressionPointer& step) const {
    try {
      const ExpressionPointer relation = closure_of(inline_views(step, model_.views));
      const LabelClasses classes({relation.get(), causal_.get()});
      Automaton left = left_automaton(*relation, classes);
      std::vector<Edge>& first = left.edges[left.initial];
      for (std::uint32_t s = 0; s < left.states(); ++s) {
        if (s != left.initial) first.insert(first.end(), left.edges[s].begin(), left.edges[s].end());
      }
      left.empty = 0;  // an event is always in its own view
      return included(left, right_automaton(*causal_, classes, {}, alphabet(left)), classes, limits);
    } catch (const TooLarge&) {
      return {Answer::unknown, {}, {}};
    }
  }

  void check_view(const relation::ViewDefinition& view) {
    add(ObligationKind::saved_relation, "view " + view.name, view.position, inside_prefix(view.step),
        "the view `" + view.name + "` looks at events that are not causally before the one it belongs to",
        "a view may only follow po, rf, rmw, tc and tj forwards");
  }

  void check_prefix(const Claim& claim) {
    const ExpressionPointer monotone = without_immediate(claim.relation);
    InclusionResult result{Answer::yes, {}, {}};
    if (monotone) {
      const Claim wider{claim.kind, monotone, claim.text, {}};
      const Verdict verdict = prove(wider, claims_, {.causal = true, .look_for_graph = false, .limits = limits});
      result.answer = verdict.status == Status::proved ? Answer::yes
                      : verdict.word.names.empty()     ? Answer::unknown
                                                       : Answer::no;
      result.word = verdict.word;
    }
    add(ObligationKind::prefix, claim.text, claim.position, result,
        "`" + claim.text + "` can forbid a part of a graph that it allows", "write co for co-imm, and fr for fr-imm");
  }

  void check_extension(const Claim& claim) {
    add(ObligationKind::extension, claim.text, claim.position, extensible(claim, all_claims_, limits),
        "`" + claim.text + "` can forbid the newest way to add an event to an allowed graph",
        claim.kind == ConstraintKind::empty
            ? "state it as `acyclic` or `irreflexive`, over relations that lead forwards"
            : "use relations that lead forwards: po, rf, co, fr, tc, tj");
  }

  // The pairs of a rule only become more, unless they depend on what is immediate in coherence.
  void check_rule(const relation::Rule& rule) {
    const std::string subject = std::string(rule.warning ? "warning " : "error ") + rule.name;
    add(ObligationKind::rule, subject, rule.position, stable_pairs(rule.expression),
        "the rule `" + rule.name + "` can lose a pair of events when the graph grows",
        "write co for co-imm, and fr for fr-imm");
    const std::string order = rule.view ? model_.views[*rule.view].name : relation::print_expression(*rule.bound);
    add(ObligationKind::rule, subject, rule.position,
        inside_prefix(rule.view ? model_.views[*rule.view].step : rule.bound),
        "the order `" + order + "` of the rule `" + rule.name +
            "` can come to hold between two events that were there before",
        "use a view that only follows po, rf, rmw, tc and tj forwards");
  }

  InclusionResult stable_pairs(const ExpressionPointer& expression) const {
    try {
      const ExpressionPointer relation = inline_views(expression, model_.views);
      const ExpressionPointer monotone = without_immediate(relation);
      if (!monotone) return {Answer::yes, {}, {}};
      // With every step of co where the rule says co-imm: the words that are pairs only as long as nothing is between.
      return included(*monotone, *relation, {}, limits);
    } catch (const TooLarge&) {
      return {Answer::unknown, {}, {}};
    }
  }

  const relation::ModelFile& model_;
  const ExpressionPointer causal_;
  const std::vector<Claim> claims_;
  std::vector<Claim> all_claims_;
  std::vector<Obligation> obligations_;
};

}  // namespace

std::vector<Obligation> admit(const relation::ModelFile& model) { return admit(model, causal_order()); }

std::vector<Obligation> admit(const relation::ModelFile& model, const ExpressionPointer& causal) {
  return Admission(model, causal).run();
}

Diagnostics objections(const std::vector<Obligation>& obligations) {
  Diagnostics result;
  for (const Obligation& obligation : obligations) {
    if (obligation.status != ObligationStatus::proved) result.push_back(obligation.diagnostic);
  }
  return result;
}

std::string_view name_of(ObligationKind kind) {
  switch (kind) {
    case ObligationKind::causal_order: return "the causal order is acyclic and well chosen";
    case ObligationKind::saved_relation: return "views depend only on what is causally before";
    case ObligationKind::prefix: return "parts of allowed graphs are allowed";
    case ObligationKind::extension: return "allowed graphs can be extended";
    case ObligationKind::rule: return "races do not go away";
  }
  return "";
}

}  // namespace heddle::prover
