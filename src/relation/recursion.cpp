// See recursion.h. Tested in type_check_test.cpp.
#include "relation/recursion.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::relation {
namespace {

// X_i = X_0 ; factors[0] | X_1 ; factors[1] | ... | constant, where null is the empty relation.
struct Equation {
  std::vector<ExpressionPointer> factors;
  ExpressionPointer constant;
};

ExpressionPointer either(const ExpressionPointer& a, const ExpressionPointer& b) {
  if (!a || !b) return a ? a : b;
  return make_expression(ExpressionKind::alternative, {a, b});
}

ExpressionPointer then(const ExpressionPointer& a, const ExpressionPointer& b) {
  if (!a || !b) return nullptr;
  if (a->is_identity()) return b;
  if (b->is_identity()) return a;
  return make_expression(ExpressionKind::sequence, {a, b});
}

ExpressionPointer repeated(const ExpressionPointer& a) {
  return a ? make_expression(ExpressionKind::star, {a}) : make_identity();
}

Equation equation_of(const ExpressionPointer& e, std::size_t count) {
  Equation result{std::vector<ExpressionPointer>(count), nullptr};
  if (!e->uses(feature_recursion)) {
    if (!e->is_zero()) result.constant = e;
    return result;
  }
  switch (e->kind) {
    case ExpressionKind::recursion: result.factors[e->number] = make_identity(); return result;
    case ExpressionKind::alternative:
      for (const ExpressionPointer& part : e->parts) {
        const Equation next = equation_of(part, count);
        for (std::size_t j = 0; j < count; ++j) result.factors[j] = either(result.factors[j], next.factors[j]);
        result.constant = either(result.constant, next.constant);
      }
      return result;
    case ExpressionKind::optional:
      result = equation_of(e->parts[0], count);
      result.constant = either(result.constant, make_identity());
      return result;
    case ExpressionKind::sequence: {
      result = equation_of(e->parts[0], count);
      ExpressionPointer rest = make_identity();
      for (std::size_t i = 1; i < e->parts.size(); ++i) rest = then(rest, e->parts[i]);
      for (ExpressionPointer& factor : result.factors) factor = then(factor, rest);
      result.constant = then(result.constant, rest);
      return result;
    }
    default: break;
  }
  HEDDLE_CHECK(false, "a recursive definition is not left-linear");
  return result;
}

bool refers_to(const Syntax& syntax, const std::vector<std::string>& names) {
  if (syntax.kind == SyntaxKind::name) return std::find(names.begin(), names.end(), syntax.name) != names.end();
  return std::any_of(syntax.parts.begin(), syntax.parts.end(),
                     [&](const SyntaxPointer& part) { return refers_to(*part, names); });
}

// Reports all occurrences below a node under which none is allowed.
void report_all(const Syntax& syntax, const std::vector<std::string>& names, const std::string& why,
                ProblemReporter& report) {
  if (syntax.kind == SyntaxKind::name && refers_to(syntax, names)) {
    report(syntax.position, "this occurrence of `" + syntax.name + "` is not at the left end of its definition: " + why,
           "only left-linear recursion is supported: write `let rec x = x ; a | b`");
  }
  for (const SyntaxPointer& part : syntax.parts) report_all(*part, names, why, report);
}

}  // namespace

bool is_left_linear(const Syntax& definition, const std::vector<std::string>& names, ProblemReporter& report) {
  bool good = true;
  const auto refuse = [&](const Syntax& part, const std::string& why) {
    if (!refers_to(part, names)) return;
    good = false;
    report_all(part, names, why, report);
  };
  switch (definition.kind) {
    case SyntaxKind::name: return true;
    case SyntaxKind::alternative:
    case SyntaxKind::optional:
      for (const SyntaxPointer& part : definition.parts) good = is_left_linear(*part, names, report) && good;
      return good;
    case SyntaxKind::sequence:
      good = is_left_linear(*definition.parts[0], names, report);
      for (std::size_t i = 1; i < definition.parts.size(); ++i)
        refuse(*definition.parts[i], "something stands before it");
      return good;
    default: break;
  }
  for (const SyntaxPointer& part : definition.parts)
    refuse(*part, "it is inside an operator other than `|`, `;` and `?`");
  return good;
}

std::vector<ExpressionPointer> solve(const std::vector<ExpressionPointer>& definitions) {
  const std::size_t count = definitions.size();
  std::vector<Equation> equations;
  for (const ExpressionPointer& definition : definitions) equations.push_back(equation_of(definition, count));
  const auto too_large = [](const ExpressionPointer& e) {
    return e && (e->size > maximal_size || e->depth > maximal_depth);
  };
  // Eliminate one unknown after the other: afterwards no equation mentions it.
  for (std::size_t i = 0; i < count; ++i) {
    const ExpressionPointer loop = repeated(equations[i].factors[i]);
    equations[i].factors[i] = nullptr;
    for (ExpressionPointer& factor : equations[i].factors) factor = then(factor, loop);
    equations[i].constant = then(equations[i].constant, loop);
    for (std::size_t k = 0; k < count; ++k) {
      const ExpressionPointer factor = equations[k].factors[i];
      if (k == i || !factor) continue;
      equations[k].factors[i] = nullptr;
      for (std::size_t j = 0; j < count; ++j)
        equations[k].factors[j] = either(equations[k].factors[j], then(equations[i].factors[j], factor));
      equations[k].constant = either(equations[k].constant, then(equations[i].constant, factor));
      if (too_large(equations[k].constant) ||
          std::any_of(equations[k].factors.begin(), equations[k].factors.end(), too_large))
        return std::vector<ExpressionPointer>(count);
    }
  }
  std::vector<ExpressionPointer> result;
  for (const Equation& equation : equations) result.push_back(equation.constant ? equation.constant : make_zero());
  return result;
}

}  // namespace heddle::relation
