// See print_expression.h. Parentheses only where precedence needs them. Tested in parser_test.cpp.
#include "relation/print_expression.h"

namespace heddle::relation {
namespace {

// How tightly the topmost operator binds; a part that binds no tighter than its surroundings is parenthesised.
unsigned strength(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::set_union:
    case ExpressionKind::alternative: return 0;
    case ExpressionKind::sequence: return 1;
    case ExpressionKind::set_difference:
    case ExpressionKind::other_location: return 2;
    case ExpressionKind::set_intersection:
    case ExpressionKind::same_location: return 3;
    case ExpressionKind::optional:
    case ExpressionKind::plus:
    case ExpressionKind::star:
    case ExpressionKind::inverse: return 4;
    default: return 5;
  }
}

void print(const Expression& expression, std::string& out);

void print_part(const Expression& part, unsigned outer, std::string& out) {
  const bool parenthesis = strength(part.kind) <= outer && !(outer == 4 && strength(part.kind) == 4);
  if (parenthesis) out += '(';
  print(part, out);
  if (parenthesis) out += ')';
}

void print_joined(const Expression& expression, const char* separator, std::string& out) {
  for (std::size_t i = 0; i < expression.parts.size(); ++i) {
    if (i > 0) out += separator;
    print_part(*expression.parts[i], strength(expression.kind), out);
  }
}

void print(const Expression& expression, std::string& out) {
  using enum ExpressionKind;
  switch (expression.kind) {
    case every_event: out += '_'; return;
    case label:
    case primitive:
    case view: out += expression.name; return;
    case set_union:
    case alternative: return print_joined(expression, " | ", out);
    case set_intersection: return print_joined(expression, " & ", out);
    case set_difference: return print_joined(expression, " \\ ", out);
    case sequence: return print_joined(expression, " ; ", out);
    case test:
      out += '[';
      print(*expression.parts[0], out);
      out += ']';
      return;
    default: break;
  }
  print_part(*expression.parts[0], strength(expression.kind), out);
  switch (expression.kind) {
    case same_location: out += " & loc"; break;
    case other_location: out += " \\ loc"; break;
    case optional: out += '?'; break;
    case plus: out += '+'; break;
    case star: out += '*'; break;
    default: out += "^-1"; break;
  }
}

}  // namespace

std::string print_expression(const Expression& expression) {
  std::string out;
  print(expression, out);
  return out;
}

}  // namespace heddle::relation
