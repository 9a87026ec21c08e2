// A .kat file after parsing and type checking: everything the model says, as typed expressions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "relation/expression.h"
#include "relation/parser.h"

namespace heddle::relation {

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
};

// error NAME unless `expression` <= view
struct Rule {
  std::string name;
  bool warning = false;
  ExpressionPointer expression;
  unsigned view = 0;
  Position position;
};

struct ModelFile {
  std::string title;
  SourceFiles files;
  std::vector<ViewDefinition> views;
  std::vector<Constraint> constraints;
  std::vector<Rule> rules;
  std::optional<unsigned> coherence;  // the view v of `coherence v`: irreflexive(v ; (rf | co | fr)*)
};

// Parses and checks. The result is meaningful only if no problem was added.
ModelFile read_model(const std::string& text, const std::string& path, const FileReader& read_file,
                     Diagnostics& problems);

}  // namespace heddle::relation
