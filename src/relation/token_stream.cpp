// See token_stream.h. Tested in parser_test.cpp.
#include "relation/token_stream.h"

#include <algorithm>

#include "relation/spelling.h"

namespace heddle::relation {
namespace {

constexpr std::string_view statements[] = {"let",       "view",    "save",     "acyclic", "irreflexive", "empty",
                                           "coherence", "causal",  "error",    "warning", "include",     "predicate",
                                           "relation",  "declare", "disjoint", "assume",  "assert",      "needs"};
constexpr std::string_view other_words[] = {"rec", "and", "unless", "not", "total"};

template <class Words>
bool contains(const Words& words, const std::string& text) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

}  // namespace

bool begins_statement(const Token& token) { return token.kind == TokenKind::name && contains(statements, token.text); }

bool is_reserved(const Token& token) {
  return begins_statement(token) || (token.kind == TokenKind::name && contains(other_words, token.text));
}

std::string suggest_statement(const std::string& word) {
  return did_you_mean(word, {std::begin(statements), std::end(statements)});
}

Token TokenStream::take(TokenKind kind, const std::string& expected) {
  if (!at(kind)) fail(here().position, "expected " + expected + ", found " + describe(here()));
  return take();
}

Token TokenStream::take_name(const std::string& expected) {
  if (is_reserved(here())) {
    const Token word = here();
    if (after().kind == TokenKind::equals) take();  // meant as a name: do not take it for the next statement
    fail(word.position, "expected " + expected + ", found the keyword " + describe(word), "choose another name");
  }
  return take(TokenKind::name, expected);
}

void TokenStream::fail(Position position, std::string message, std::string hint) const {
  if (!at(TokenKind::bad)) problems_.push_back(diagnostic_at(files_, position, std::move(message), std::move(hint)));
  throw SyntaxFailure{};
}

}  // namespace heddle::relation
