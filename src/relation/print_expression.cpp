// See print_expression.h and formula.h. Parentheses only where precedence needs them. Tested in parser_test.cpp.
#include "relation/print_expression.h"

#include "relation/formula.h"

namespace heddle::relation {
namespace {

// How tightly the topmost operator binds; a part that binds no tighter than its surroundings is parenthesised.
unsigned strength(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::set_union:
    case ExpressionKind::alternative: return e.parts.empty() ? 6 : 0;
    case ExpressionKind::sequence: return 1;
    case ExpressionKind::set_difference:
    case ExpressionKind::relation_difference:
    case ExpressionKind::other_location: return 2;
    case ExpressionKind::set_intersection:
    case ExpressionKind::relation_intersection:
    case ExpressionKind::same_location: return 3;
    case ExpressionKind::product: return 4;
    case ExpressionKind::optional:
    case ExpressionKind::plus:
    case ExpressionKind::star:
    case ExpressionKind::inverse: return 5;
    default: return 6;
  }
}

void print(const Expression& expression, std::string& out);

void print_part(const Expression& part, unsigned outer, std::string& out) {
  const bool parenthesis = strength(part) <= outer && !(outer == 5 && strength(part) == 5);
  if (parenthesis) out += '(';
  print(part, out);
  if (parenthesis) out += ')';
}

void print_joined(const Expression& expression, const char* separator, std::string& out) {
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    if (i > 0) out += separator;
    print_part(*expression.parts[i], strength(expression), out);
  }
}

void print_call(const char* name, const Expression& expression, std::string& out) {
  out += name;
  out += '(';
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    if (i > 0) out += ", ";
    print(*expression.parts[i], out);
  }
  out += ')';
}

void print(const Expression& expression, std::string& out) {
  using enum ExpressionKind;
  switch (expression.kind) {
    case every_event: out += '_'; return;
    case label:
    case predicate:
    case primitive:
    case uninterpreted:
    case recursion:
    case view: out += expression.name; return;
    case set_union:
    case alternative:
      if (expression.parts.empty()) out += '0';
      return print_joined(expression, " | ", out);
    case set_intersection:
    case relation_intersection: return print_joined(expression, " & ", out);
    case set_difference:
    case relation_difference: return print_joined(expression, " \\ ", out);
    case product: return print_joined(expression, " * ", out);
    case sequence: return print_joined(expression, " ; ", out);
    case domain: return print_call("dom", expression, out);
    case range: return print_call("rng", expression, out);
    case same_ends: return print_call("sameEnds", expression, out);
    case rotation: return print_call("rot", expression, out);
    case deduplication: return print_call("dedup", expression, out);
    case totality: return print_call("tot", expression, out);
    case test:
      if (expression.is_identity()) {
        out += "id";
        return;
      }
      out += '[';
      print(*expression.parts[0], out);
      out += ']';
      return;
    default: break;
  }
  print_part(*expression.parts[0], strength(expression), out);
  switch (expression.kind) {
    case same_location: out += " & loc"; break;
    case other_location: out += " \\ loc"; break;
    case optional: out += '?'; break;
    case plus: out += '+'; break;
    case star: out += '*'; break;
    default: out += "^-1"; break;
  }
}

unsigned strength(FormulaKind kind) {
  switch (kind) {
    case FormulaKind::equivalence: return 0;
    case FormulaKind::implication: return 1;
    case FormulaKind::disjunction: return 2;
    case FormulaKind::conjunction: return 3;
    default: return 4;
  }
}

void print(const Formula& formula, std::string& out) {
  const auto part = [&](const Formula& inner, bool parenthesis) {
    if (parenthesis) out += '(';
    print(inner, out);
    if (parenthesis) out += ')';
  };
  const auto word = [&](const char* text) {
    out += text;
    print(*formula.left, out);
  };
  const auto compared = [&](const char* text) {
    print(*formula.left, out);
    out += text;
    print(*formula.right, out);
  };
  switch (formula.kind) {
    case FormulaKind::included: return compared(" <= ");
    case FormulaKind::equal: return compared(" = ");
    case FormulaKind::acyclic: return word("acyclic ");
    case FormulaKind::irreflexive: return word("irreflexive ");
    case FormulaKind::empty: return word("empty ");
    case FormulaKind::total: return word("total ");
    case FormulaKind::negation: out += "not "; return part(*formula.parts[0], strength(formula.parts[0]->kind) < 4);
    default: break;
  }
  const unsigned own = strength(formula.kind);
  const char* const joints[] = {" <=> ", " => ", " \\/ ", " /\\ "};
  for (std::size_t i = 0; i < formula.parts.size(); ++i) {
    if (i > 0) out += joints[own];
    const unsigned inner = strength(formula.parts[i]->kind);
    const bool groups_right = own == 1 && i + 1 == formula.parts.size();
    part(*formula.parts[i], groups_right ? inner < own : inner <= own);
  }
}

}  // namespace

std::string print_expression(const Expression& expression) {
  std::string out;
  print(expression, out);
  return out;
}

std::string print_formula(const Formula& formula) {
  std::string out;
  print(formula, out);
  return out;
}

}  // namespace heddle::relation
