// Expressions and formulas. Precedence, loosest first:
//   formulas      <=>   =>   \/   /\   not   then   e <= e, e = e, acyclic e, irreflexive e, empty e, total e
//   expressions   |   ;   \   &   S * T   then the prefix ~ and the postfix ? * + ^-1
// Nesting is limited, and chains of one operator become one wide node, so no input can make the recursion deep.
#pragma once

#include "relation/token_stream.h"

namespace heddle::relation {

class ExpressionParser {
 public:
  explicit ExpressionParser(TokenStream& tokens) : tokens_(tokens) {}

  SyntaxPointer parse_expression();
  FormulaSyntaxPointer parse_formula();

 private:
  SyntaxPointer parse_level(unsigned level);
  SyntaxPointer parse_product();
  SyntaxPointer parse_prefix();
  SyntaxPointer parse_postfix();
  SyntaxPointer parse_atom();
  SyntaxPointer parse_call(const Token& name);
  bool star_is_product() const;

  FormulaSyntaxPointer parse_formula_level(unsigned level);
  FormulaSyntaxPointer parse_formula_atom();
  FormulaSyntaxPointer parse_comparison();
  bool parenthesis_holds_formula() const;

  SyntaxPointer leaf(SyntaxKind kind, const Token& token);
  SyntaxPointer node(SyntaxKind kind, Position position, SyntaxPointer part);
  void add_part(Syntax& parent, SyntaxPointer part);
  void enter(const Token& token);

  TokenStream& tokens_;
  unsigned nesting_ = 0;
};

}  // namespace heddle::relation
