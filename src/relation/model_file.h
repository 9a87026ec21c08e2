// A .kat file after parsing and type checking: everything the model says, as typed expressions. What an included file
// says is part of it; `Position::file` tells them apart (0: the file that was asked for).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relation/expression.h"
#include "relation/formula.h"
#include "relation/parser.h"

namespace heddle::relation {

// A name with its meaning: of let, let rec, view, save, predicate and relation.
struct Definition {
  std::string name;              // without its file
  ExpressionPointer expression;
  Position position;
};

// A saved relation: the transitive closure of `step`.
struct ViewDefinition {
  std::string name;
  ExpressionPointer step;
  Position position;
};

enum class ConstraintKind : std::uint8_t { acyclic, irreflexive, empty };

struct Constraint {
  ConstraintKind kind{};
  ExpressionPointer expression;
  std::string text;    // as in the file, printed back: "acyclic po | rf"
  Position position;
  bool late = false;   // not regular: only the naive evaluator can tell, on a complete graph
};

// error NAME unless `expression` <= `bound`. Two readings, see docs/kat.md:
//  * `conflict`: the expression is made of [S] ; loc ; [T] alone. Its pairs have no direction: the bound must order the
//    two events one way or the other, if they are of different threads and neither is an initial write.
//  * otherwise every pair of the expression must be in the bound.
struct Rule {
  std::string name;
  bool warning = false;
  ExpressionPointer expression;
  ExpressionPointer bound;
  bool conflict = false;
  std::optional<unsigned> view;  // the bound, if it is a view
  Position position;
};

// assume or assert
struct Claim {
  FormulaPointer formula;
  std::string text;  // printed back
  Position position;
};

struct Disjoint {
  std::vector<ExpressionPointer> sets;
  Position position;
};

struct ModelFile {
  std::string title;
  SourceFiles files;
  std::vector<Definition> definitions;  // in the order of the file, included ones before what follows the include
  std::vector<ViewDefinition> views;
  std::vector<Constraint> constraints;
  std::vector<Rule> rules;
  std::optional<unsigned> coherence;  // the view v of `coherence v`: irreflexive(v ; (rf | co | fr)*)
  std::vector<Position> coherence_positions;  // more than one: two included models disagree
  ExpressionPointer causal;  // null if not stated
  Position causal_position;
  std::vector<Definition> predicates, relations;  // declared, by Expression::number of `predicate`, `uninterpreted`
  std::vector<Disjoint> disjoint;
  std::vector<Claim> assumptions, assertions;
};

// Parses and checks. The result is meaningful only if no problem was added.
ModelFile read_model(const std::string& text, const std::string& path, const FileReader& read_file,
                     Diagnostics& problems);

}  // namespace heddle::relation
