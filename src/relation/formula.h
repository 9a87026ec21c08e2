// What `assume` and `assert` say, after type checking: constraints over expressions, joined by connectives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "relation/expression.h"
#include "relation/syntax.h"

namespace heddle::relation {

struct Formula;
using FormulaPointer = std::shared_ptr<const Formula>;

struct Formula {
  FormulaKind kind{};
  Position position;
  // Of a constraint. `included` and `equal` compare two relations or two sets; `right` is null for the others.
  // `e = 0` has the empty relation (or set) on its right, `e <= id` the identity.
  ExpressionPointer left, right;
  std::vector<FormulaPointer> parts;  // of the connectives: one for negation, two for implication and equivalence
};

std::string print_formula(const Formula& formula);

}  // namespace heddle::relation
