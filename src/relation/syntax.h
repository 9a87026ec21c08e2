// What the parser makes of a .kat file before names and types are resolved. Positions are kept for messages.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace heddle::relation {

struct Position {
  unsigned file = 0;  // index into SourceFiles
  unsigned line = 0, column = 0;
};

enum class SyntaxKind { name, test, alternative, sequence, intersection, difference, optional, plus, star, inverse };

struct Syntax {
  SyntaxKind kind{};
  Position position;
  std::string name;
  std::vector<std::unique_ptr<Syntax>> parts;
  unsigned depth = 1;
};
using SyntaxPointer = std::unique_ptr<Syntax>;

enum class StatementKind { let, view, acyclic, irreflexive, empty, coherence, causal, error, warning };

struct Statement {
  StatementKind kind{};
  Position position;
  std::string name;         // let, view, coherence (the view), error, warning
  Position name_position;
  SyntaxPointer expression; // none for coherence
  std::string bound;        // error, warning: the view on the right of <=
  Position bound_position;
};

// One file and its text, kept to quote lines in messages.
struct SourceFile {
  std::string path;
  std::string text;
};
using SourceFiles = std::vector<SourceFile>;

}  // namespace heddle::relation
