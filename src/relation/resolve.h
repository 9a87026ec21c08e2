// Syntax to typed expressions: names are looked up, every operator is given its meaning on sets or on relations.
#pragma once

#include <map>
#include <string>

#include "relation/formula.h"
#include "relation/report_problem.h"
#include "relation/scopes.h"

namespace heddle::relation {

class Resolver {
 public:
  Resolver(const Scopes& scopes, ProblemReporter& report) : scopes_(scopes), report_(report) {}

  // Null after a reported mistake. The result is within the limits on depth and size.
  ExpressionPointer resolve(const Syntax& syntax);
  // As resolve, but sets are a mistake too.
  ExpressionPointer resolve_relation(const Syntax& syntax);
  ExpressionPointer resolve_set(const Syntax& syntax);
  FormulaPointer resolve_formula(const FormulaSyntax& syntax);

  // While a `let rec` is resolved: the names being defined and what stands for them.
  void begin_recursion(std::map<std::string, ExpressionPointer> names) { recursive_ = std::move(names); }
  void end_recursion() { recursive_.clear(); }

 private:
  ExpressionPointer resolve_name(const Syntax& syntax);
  ExpressionPointer combine(const Syntax& syntax, std::vector<ExpressionPointer> parts);
  ExpressionPointer combine_sets(const Syntax& syntax, std::vector<ExpressionPointer> parts);
  ExpressionPointer combine_relations(const Syntax& syntax, std::vector<ExpressionPointer> parts);
  bool require_one_type(Position position, std::vector<ExpressionPointer>& parts);
  bool require_sets(const Syntax& syntax, std::vector<ExpressionPointer>& parts);
  bool require_relations(const Syntax& syntax, const std::vector<ExpressionPointer>& parts);

  const Scopes& scopes_;
  ProblemReporter& report_;
  std::map<std::string, ExpressionPointer> recursive_;
};

}  // namespace heddle::relation
