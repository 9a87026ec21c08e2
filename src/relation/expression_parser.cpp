// See expression_parser.h. Recursive descent. Tested in parser_test.cpp.
#include "relation/expression_parser.h"

#include <algorithm>

#include "relation/expression.h"
#include "relation/vocabulary.h"

namespace heddle::relation {

SyntaxPointer ExpressionParser::parse_expression() {
  nesting_ = 0;
  return parse_level(0);
}

FormulaSyntaxPointer ExpressionParser::parse_formula() {
  nesting_ = 0;
  return parse_formula_level(0);
}

// Operators by level: 0 `|`, 1 `;`, 2 `\`, 3 `&`.
SyntaxPointer ExpressionParser::parse_level(unsigned level) {
  constexpr TokenKind operators[] = {TokenKind::bar, TokenKind::semicolon, TokenKind::backslash, TokenKind::ampersand};
  constexpr SyntaxKind kinds[] = {SyntaxKind::alternative, SyntaxKind::sequence, SyntaxKind::difference,
                                  SyntaxKind::intersection};
  if (level == 4) return parse_product();
  SyntaxPointer left = parse_level(level + 1);
  for (bool chain = false; tokens_.at(operators[level]);) {
    const Position position = tokens_.take().position;
    if (!chain) left = node(kinds[level], position, std::move(left));
    chain = level != 2;  // `\` takes two operands, the others any number
    add_part(*left, parse_level(level + 1));
  }
  return left;
}

// `S * T`. A star is the closure operator unless something follows it that can only be an operand.
bool ExpressionParser::star_is_product() const {
  if (!tokens_.at(TokenKind::star)) return false;
  switch (tokens_.after().kind) {
    case TokenKind::name: return !is_reserved(tokens_.after());
    case TokenKind::zero:
    case TokenKind::complement:
    case TokenKind::left_bracket:
    case TokenKind::left_parenthesis: return true;
    default: return false;
  }
}

SyntaxPointer ExpressionParser::parse_product() {
  SyntaxPointer left = parse_prefix();
  while (tokens_.at(TokenKind::product) || star_is_product()) {
    left = node(SyntaxKind::product, tokens_.take().position, std::move(left));
    add_part(*left, parse_prefix());
  }
  return left;
}

SyntaxPointer ExpressionParser::parse_prefix() {
  if (!tokens_.at(TokenKind::complement)) return parse_postfix();
  const Token token = tokens_.take();
  enter(token);
  SyntaxPointer result = node(SyntaxKind::complement, token.position, parse_prefix());
  --nesting_;
  return result;
}

SyntaxPointer ExpressionParser::parse_postfix() {
  SyntaxPointer operand = parse_atom();
  for (;;) {
    SyntaxKind kind{};
    switch (tokens_.here().kind) {
      case TokenKind::question: kind = SyntaxKind::optional; break;
      case TokenKind::star: kind = SyntaxKind::star; break;
      case TokenKind::plus: kind = SyntaxKind::plus; break;
      case TokenKind::inverse: kind = SyntaxKind::inverse; break;
      default: return operand;
    }
    if (star_is_product()) return operand;
    operand = node(kind, tokens_.take().position, std::move(operand));
  }
}

SyntaxPointer ExpressionParser::parse_atom() {
  const Token token = tokens_.here();
  if (token.kind == TokenKind::name && !is_reserved(token)) {
    tokens_.take();
    if (find_function(token.text) && tokens_.at(TokenKind::left_parenthesis)) return parse_call(token);
    return leaf(SyntaxKind::name, token);
  }
  if (token.kind == TokenKind::zero) {
    tokens_.take();
    return leaf(SyntaxKind::zero, token);
  }
  if (token.kind != TokenKind::left_parenthesis && token.kind != TokenKind::left_bracket) {
    tokens_.fail(token.position, "expected an expression, found " + describe(token));
  }
  tokens_.take();
  enter(token);
  const bool bracket = token.kind == TokenKind::left_bracket;
  SyntaxPointer inner = parse_level(0);
  tokens_.take(bracket ? TokenKind::right_bracket : TokenKind::right_parenthesis, bracket ? "`]`" : "`)`");
  --nesting_;
  return bracket ? node(SyntaxKind::test, token.position, std::move(inner)) : std::move(inner);
}

SyntaxPointer ExpressionParser::parse_call(const Token& name) {
  enter(name);
  const unsigned arguments = find_function(name.text)->arguments;
  SyntaxPointer call = leaf(SyntaxKind::call, name);
  tokens_.take(TokenKind::left_parenthesis, "`(`");
  for (unsigned i = 0; i < arguments; ++i) {
    if (i > 0) tokens_.take(TokenKind::comma, "`,` and a second argument of `" + name.text + "`");
    add_part(*call, parse_level(0));
  }
  tokens_.take(TokenKind::right_parenthesis, "`)`");
  --nesting_;
  return call;
}

// --- formulas ---

// Connectives by level: 0 `<=>`, 1 `=>` (groups to the right), 2 `\/`, 3 `/\`.
FormulaSyntaxPointer ExpressionParser::parse_formula_level(unsigned level) {
  constexpr TokenKind operators[] = {TokenKind::equivalence, TokenKind::implication, TokenKind::disjunction,
                                     TokenKind::conjunction};
  constexpr FormulaKind kinds[] = {FormulaKind::equivalence, FormulaKind::implication, FormulaKind::disjunction,
                                   FormulaKind::conjunction};
  if (level == 4) return parse_formula_atom();
  FormulaSyntaxPointer left = parse_formula_level(level + 1);
  if (!tokens_.at(operators[level])) return left;
  auto result = std::make_unique<FormulaSyntax>();
  result->kind = kinds[level];
  result->position = tokens_.here().position;
  result->parts.push_back(std::move(left));
  while (tokens_.at(operators[level])) {
    const Token token = tokens_.take();
    if (level == 0 && result->parts.size() == 2)
      tokens_.fail(token.position, "`<=>` cannot be chained", "use parentheses to say what is meant");
    if (level == 1) {
      enter(token);
      result->parts.push_back(parse_formula_level(1));
      --nesting_;
    } else {
      result->parts.push_back(parse_formula_level(level + 1));
    }
  }
  return result;
}

FormulaSyntaxPointer ExpressionParser::parse_formula_atom() {
  const Token token = tokens_.here();
  if (token.kind == TokenKind::left_parenthesis && parenthesis_holds_formula()) {
    tokens_.take();
    enter(token);
    FormulaSyntaxPointer inner = parse_formula_level(0);
    tokens_.take(TokenKind::right_parenthesis, "`)`");
    --nesting_;
    return inner;
  }
  auto result = std::make_unique<FormulaSyntax>();
  result->position = token.position;
  if (token.kind == TokenKind::negation || tokens_.at_word("not")) {
    tokens_.take();
    enter(token);
    result->kind = FormulaKind::negation;
    result->parts.push_back(parse_formula_atom());
    --nesting_;
    return result;
  }
  if (tokens_.at_word("acyclic"))
    result->kind = FormulaKind::acyclic;
  else if (tokens_.at_word("irreflexive"))
    result->kind = FormulaKind::irreflexive;
  else if (tokens_.at_word("empty"))
    result->kind = FormulaKind::empty;
  else if (tokens_.at_word("total"))
    result->kind = FormulaKind::total;
  else
    return parse_comparison();
  tokens_.take();
  result->left = parse_level(0);
  return result;
}

FormulaSyntaxPointer ExpressionParser::parse_comparison() {
  auto result = std::make_unique<FormulaSyntax>();
  result->left = parse_level(0);
  result->position = tokens_.here().position;
  if (!tokens_.at(TokenKind::included) && !tokens_.at(TokenKind::equals)) {
    tokens_.fail(tokens_.here().position, "expected `<=` or `=`, found " + describe(tokens_.here()),
                 "say what holds for it: `e1 <= e2`, `e1 = e2`, `e = 0`, `acyclic e`, `irreflexive e`");
  }
  result->kind = tokens_.take().kind == TokenKind::included ? FormulaKind::included : FormulaKind::equal;
  result->right = parse_level(0);
  return result;
}

// Only formulas contain comparisons, connectives and the words for constraints.
bool ExpressionParser::parenthesis_holds_formula() const {
  unsigned open = 0;
  for (std::size_t i = tokens_.position();; ++i) {
    const Token& token = tokens_.peek(i);
    switch (token.kind) {
      case TokenKind::end: return false;
      case TokenKind::left_parenthesis: ++open; break;
      case TokenKind::right_parenthesis:
        if (--open == 0) return false;
        break;
      case TokenKind::equals:
      case TokenKind::included:
      case TokenKind::conjunction:
      case TokenKind::disjunction:
      case TokenKind::negation:
      case TokenKind::implication:
      case TokenKind::equivalence: return true;
      default:
        if (is_reserved(token)) return token.text != "let";
    }
  }
}

// --- nodes ---

SyntaxPointer ExpressionParser::leaf(SyntaxKind kind, const Token& token) {
  auto result = std::make_unique<Syntax>();
  result->kind = kind;
  result->position = token.position;
  result->name = token.text;
  return result;
}

SyntaxPointer ExpressionParser::node(SyntaxKind kind, Position position, SyntaxPointer part) {
  auto result = std::make_unique<Syntax>();
  result->kind = kind;
  result->position = position;
  add_part(*result, std::move(part));
  return result;
}

void ExpressionParser::add_part(Syntax& parent, SyntaxPointer part) {
  parent.depth = std::max(parent.depth, part->depth + 1);
  const Position position = part->position;
  parent.parts.push_back(std::move(part));
  if (parent.depth > maximal_depth) tokens_.fail(position, "this expression is nested too deeply");
}

void ExpressionParser::enter(const Token& token) {
  if (++nesting_ > maximal_depth) tokens_.fail(token.position, "this expression is nested too deeply");
}

}  // namespace heddle::relation
