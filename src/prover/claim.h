// What a model says about every graph it allows, as a list of claims over relations without views.
#pragma once

#include <string>
#include <vector>

#include "relation/model_file.h"

namespace heddle::prover {

struct Claim {
  relation::ConstraintKind kind{};
  relation::ExpressionPointer relation;  // without views
  std::string text;                      // as in the file
  relation::Position position;           // line 0: built in
};

// The constraints of the file; `coherence v` is irreflexive(v ; (rf | co | fr)*).
std::vector<Claim> claims_of(const relation::ModelFile& model);

// (po | rf | tc | tj)+, the order along which executions are built.
relation::ExpressionPointer causal_order();
Claim causally_acyclic();

// Holds whatever the model says: no write comes between the halves of a read-modify-write, coherence is an order, and
// so are program order, thread creation and joining together. Acyclic causality is not part of it: it is built in as
// well, but models have to imply it.
std::vector<Claim> built_in_claims();

// Expressions for use in claims.
relation::ExpressionPointer primitive(relation::Primitive primitive);
relation::ExpressionPointer any_of(std::vector<relation::ExpressionPointer> parts);
relation::ExpressionPointer sequence(std::vector<relation::ExpressionPointer> parts);

}  // namespace heddle::prover
