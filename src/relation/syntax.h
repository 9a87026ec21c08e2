// What the parser makes of a .kat file before names and types are resolved. Positions are kept for messages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace heddle::relation {

struct Position {
  unsigned file = 0;  // index into SourceFiles
  unsigned line = 0, column = 0;
};

enum class SyntaxKind {
  name,
  zero,
  test,
  alternative,
  sequence,
  intersection,
  difference,
  product,
  complement,
  optional,
  plus,
  star,
  inverse,
  call,  // of a built-in function: dom, rng, sameEnds, rot, dedup, tot
};

struct Syntax {
  SyntaxKind kind{};
  Position position;
  std::string name;  // of `name` (perhaps File::name) and `call`
  std::vector<std::unique_ptr<Syntax>> parts;
  unsigned depth = 1;
};
using SyntaxPointer = std::unique_ptr<Syntax>;

enum class FormulaKind {
  included,  // left <= right
  equal,     // left = right
  acyclic,
  irreflexive,
  empty,
  total,
  negation,
  conjunction,
  disjunction,
  implication,
  equivalence,
};

// What `assume` and `assert` take.
struct FormulaSyntax {
  FormulaKind kind{};
  Position position;
  SyntaxPointer left, right;                           // of a constraint: `right` only for included and equal
  std::vector<std::unique_ptr<FormulaSyntax>> parts;   // of the connectives
};
using FormulaSyntaxPointer = std::unique_ptr<FormulaSyntax>;

enum class StatementKind {
  let,
  let_rec,
  view,
  save,
  acyclic,
  irreflexive,
  empty,
  coherence,
  causal,
  error,
  warning,
  include,
  predicate,
  relation,
  disjoint,
  assume,
  assert_,
  needs,
};

// A name and what is said about it: of let, let rec, view, save, error, warning; without expression: of predicate,
// relation and needs.
struct Binding {
  std::string name;
  Position position;
  SyntaxPointer expression;
};

struct Statement {
  StatementKind kind{};
  Position position;
  std::vector<Binding> bindings;        // one, except for `let rec`, `predicate`, `relation`, `needs`
  SyntaxPointer expression;             // acyclic, irreflexive, empty, coherence, causal
  SyntaxPointer bound;                  // error, warning: on the right of <=
  std::vector<SyntaxPointer> members;   // disjoint
  FormulaSyntaxPointer formula;         // assume, assert
  unsigned included = 0;                // include: index into SourceFiles
  std::optional<unsigned> includer;     // needs: the file that includes this one; none: nobody does
};

// One file and its text, kept to quote lines in messages.
struct SourceFile {
  std::string path;
  std::string text;
};
using SourceFiles = std::vector<SourceFile>;

}  // namespace heddle::relation
