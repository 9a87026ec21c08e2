// Text of a .kat file to tokens. Accepts any byte sequence: what is not a token becomes a diagnostic and a `bad` token;
// a text that is not UTF-8 gives one diagnostic and no tokens. Comments are `// ...` and `(* ... *)` (these nest). A
// name may be qualified (`File::name`); a name that ends in `-1` is the inverse of the name before it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "relation/syntax.h"

namespace heddle::relation {

enum class TokenKind {
  end,
  bad,  // what is not a token; it was reported
  name,
  string,
  zero,
  comma,
  bar,
  semicolon,
  ampersand,
  backslash,
  product,
  complement,
  question,
  star,
  plus,
  inverse,
  left_parenthesis,
  right_parenthesis,
  left_bracket,
  right_bracket,
  equals,
  included,
  conjunction,
  disjunction,
  negation,
  implication,
  equivalence,
};

struct Token {
  TokenKind kind{};
  std::string text;
  Position position;
};

// A diagnostic that quotes the line it is about.
Diagnostic diagnostic_at(const SourceFiles& files, Position position, std::string message, std::string hint = {});

// Tokens of files[file], always ended by an `end` token.
std::vector<Token> tokenize(const SourceFiles& files, unsigned file, Diagnostics& problems);

// The text of the first comment of the file, without its marks: the model's title.
std::string title_of(std::string_view text);

// How a token looks in a message: `name`, or 'end of file'.
std::string describe(const Token& token);

}  // namespace heddle::relation
