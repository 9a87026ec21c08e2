// See claim.h. Tested in implication_test.cpp.
#include "prover/claim.h"

#include "prover/language.h"
#include "relation/vocabulary.h"

namespace heddle::prover {

using relation::ConstraintKind;
using relation::ExpressionKind;
using relation::ExpressionPointer;
using relation::make_expression;
using relation::Primitive;

ExpressionPointer primitive(Primitive primitive) {
  for (const relation::RelationName& entry : relation::relation_names) {
    if (entry.primitive == primitive) return relation::make_primitive(primitive, std::string(entry.name));
  }
  return nullptr;
}

ExpressionPointer any_of(std::vector<ExpressionPointer> parts) {
  return make_expression(ExpressionKind::alternative, std::move(parts));
}

ExpressionPointer sequence(std::vector<ExpressionPointer> parts) {
  return make_expression(ExpressionKind::sequence, std::move(parts));
}

namespace {

ExpressionPointer causal_step() {
  return any_of(
      {primitive(Primitive::po), primitive(Primitive::rf), primitive(Primitive::tc), primitive(Primitive::tj)});
}

}  // namespace

ExpressionPointer causal_order() { return make_expression(ExpressionKind::plus, {causal_step()}); }

Claim causally_acyclic() { return {ConstraintKind::acyclic, causal_step(), "acyclic po | rf | tc | tj", {}}; }

std::vector<Claim> claims_of(const relation::ModelFile& model) {
  std::vector<Claim> claims;
  if (model.coherence) {
    const relation::ViewDefinition& view = model.views[*model.coherence];
    const ExpressionPointer communication =
        any_of({primitive(Primitive::rf), primitive(Primitive::co), primitive(Primitive::fr)});
    const ExpressionPointer order = make_expression(ExpressionKind::plus, {inline_views(view.step, model.views)});
    claims.push_back({ConstraintKind::irreflexive,
                      sequence({order, make_expression(ExpressionKind::star, {communication})}),
                      "coherence " + view.name, model.coherence_positions.front()});
  }
  for (const relation::Constraint& constraint : model.constraints) {
    claims.push_back(
        {constraint.kind, inline_views(constraint.expression, model.views), constraint.text, constraint.position});
  }
  return claims;
}

std::vector<Claim> built_in_claims() {
  const ExpressionPointer backwards = make_expression(ExpressionKind::inverse, {primitive(Primitive::rmw)});
  const ExpressionPointer between = sequence({primitive(Primitive::fr), primitive(Primitive::co), backwards});
  const ExpressionPointer threads =
      any_of({primitive(Primitive::po), primitive(Primitive::tc), primitive(Primitive::tj)});
  return {{ConstraintKind::irreflexive, between, "atomicity of read-modify-writes", {}},
          {ConstraintKind::acyclic, primitive(Primitive::co), "acyclic co", {}},
          {ConstraintKind::acyclic, threads, "acyclic po | tc | tj", {}}};
}

}  // namespace heddle::prover
