// The tokens of one file, read from left to right, and what is common to all parts of the parser.
#pragma once

#include <string>
#include <vector>

#include "relation/lexer.h"

namespace heddle::relation {

struct SyntaxFailure {};  // caught at the statement: the mistake is already in the diagnostics

// Words that begin a statement; the parser goes on at the next one after a mistake.
bool begins_statement(const Token& token);
// Any word that cannot be a name.
bool is_reserved(const Token& token);
// "did you mean" among the words that begin a statement.
std::string suggest_statement(const std::string& word);

class TokenStream {
 public:
  TokenStream(const SourceFiles& files, unsigned file, Diagnostics& problems)
      : files_(files), problems_(problems), tokens_(tokenize(files, file, problems)) {}

  const Token& here() const { return tokens_[at_]; }
  const Token& after() const { return tokens_[at_ + 1 < tokens_.size() ? at_ + 1 : at_]; }
  bool at(TokenKind kind) const { return here().kind == kind; }
  bool at_word(const char* word) const { return at(TokenKind::name) && here().text == word; }
  bool at_end_of_statement() const { return at(TokenKind::end) || begins_statement(here()); }

  Token take() {
    const Token token = here();
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool accept(TokenKind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  Token take(TokenKind kind, const std::string& expected);
  Token take_name(const std::string& expected);

  // For the one place that must look further ahead: whether a parenthesis holds a formula.
  std::size_t position() const { return at_; }
  const Token& peek(std::size_t position) const { return tokens_[position]; }

  [[noreturn]] void fail(Position position, std::string message, std::string hint = {}) const;

 private:
  const SourceFiles& files_;
  Diagnostics& problems_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace heddle::relation
