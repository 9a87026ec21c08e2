// See lexer.h. Tested in parser_test.cpp.
#include "relation/lexer.h"

#include <array>
#include <optional>
#include <utility>

namespace heddle::relation {
namespace {

bool starts_name(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(unsigned char c) { return starts_name(c) || (c >= '0' && c <= '9') || c == '-'; }

// Fixed spellings, longest first among those that share a beginning.
constexpr std::array<std::pair<std::string_view, TokenKind>, 16> spellings{{
    {"^-1", TokenKind::inverse},
    {"<=", TokenKind::included},
    {"\xe2\x8a\x86", TokenKind::included},
    {"\xe2\x88\xaa", TokenKind::bar},
    {"\xe2\x88\xa9", TokenKind::ampersand},
    {"|", TokenKind::bar},
    {";", TokenKind::semicolon},
    {"&", TokenKind::ampersand},
    {"\\", TokenKind::backslash},
    {"?", TokenKind::question},
    {"*", TokenKind::star},
    {"+", TokenKind::plus},
    {"(", TokenKind::left_parenthesis},
    {")", TokenKind::right_parenthesis},
    {"[", TokenKind::left_bracket},
    {"]", TokenKind::right_bracket},
}};

class Lexer {
 public:
  Lexer(const SourceFiles& files, unsigned file, Diagnostics& problems)
      : files_(files), text_(files[file].text), problems_(problems), here_{file, 1, 1} {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    for (;;) {
      skip_blanks_and_comments();
      if (at_ == text_.size()) break;
      if (std::optional<Token> token = next()) tokens.push_back(std::move(*token));
      if (problems_.size() > 50) break;  // binary rubbish: enough was said
    }
    tokens.push_back({TokenKind::end, "", here_});
    return tokens;
  }

 private:
  bool sees(std::string_view word) const { return text_.substr(at_, word.size()) == word; }

  void advance(std::size_t count) {
    for (; count > 0 && at_ < text_.size(); --count) {
      const unsigned char c = static_cast<unsigned char>(text_[at_++]);
      if (c == '\n') {
        ++here_.line;
        here_.column = 1;
      } else if ((c & 0xc0) != 0x80) {  // columns count characters, not bytes
        ++here_.column;
      }
    }
  }

  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        advance(1);
      } else if (sees("//")) {
        while (at_ < text_.size() && text_[at_] != '\n') advance(1);
      } else if (sees("(*")) {
        skip_block_comment();
      } else {
        return;
      }
    }
  }

  void skip_block_comment() {
    const Position start = here_;
    unsigned open = 0;
    do {
      if (sees("(*")) {
        ++open;
        advance(2);
      } else if (sees("*)")) {
        --open;
        advance(2);
      } else if (at_ == text_.size()) {
        problems_.push_back(diagnostic_at(files_, start, "this comment is never closed", "end it with `*)`"));
        return;
      } else {
        advance(1);
      }
    } while (open > 0);
  }

  std::optional<Token> next() {
    const Position start = here_;
    const std::size_t from = at_;
    if (starts_name(static_cast<unsigned char>(text_[at_]))) {
      while (at_ < text_.size() && continues_name(static_cast<unsigned char>(text_[at_]))) advance(1);
      return Token{TokenKind::name, std::string(text_.substr(from, at_ - from)), start};
    }
    if (text_[at_] == '"') return quoted(start);
    for (const auto& [word, kind] : spellings) {
      if (!sees(word)) continue;
      advance(word.size());
      return Token{kind, std::string(word), start};
    }
    if (text_[at_] == '=') {
      advance(1);
      return Token{TokenKind::equals, "=", start};
    }
    report_unknown(start);
    return std::nullopt;
  }

  Token quoted(Position start) {
    advance(1);
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') advance(1);
    std::string content(text_.substr(from, at_ - from));
    if (at_ == text_.size() || text_[at_] != '"') {
      problems_.push_back(
          diagnostic_at(files_, start, "this string is not closed", "end it with `\"` on the same line"));
    } else {
      advance(1);
    }
    return {TokenKind::string, std::move(content), start};
  }

  void report_unknown(Position start) {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    std::string shown = c >= 0x20 && c < 0x7f ? std::string(1, static_cast<char>(c)) : "byte " + std::to_string(c);
    problems_.push_back(diagnostic_at(files_, start, "unexpected character `" + shown + "`",
                                      c == '~' ? "write `_ \\ S` for the complement of a set" : ""));
    advance(1);
    while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xc0) == 0x80) advance(1);
  }

  const SourceFiles& files_;
  std::string_view text_;
  Diagnostics& problems_;
  std::size_t at_ = 0;
  Position here_;
};

}  // namespace

Diagnostic diagnostic_at(const SourceFiles& files, Position position, std::string message, std::string hint) {
  Diagnostic diagnostic{files[position.file].path, position.line,   position.column,
                        std::move(message),        std::move(hint), ""};
  const std::string_view text = files[position.file].text;
  std::size_t start = 0;
  for (unsigned line = 1; line < position.line; ++line) {
    const std::size_t end = text.find('\n', start);
    if (end == std::string_view::npos) return diagnostic;
    start = end + 1;
  }
  std::string_view line = text.substr(start, text.find('\n', start) - start);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.size() <= 400) diagnostic.excerpt = std::string(line);
  return diagnostic;
}

std::vector<Token> tokenize(const SourceFiles& files, unsigned file, Diagnostics& problems) {
  return Lexer(files, file, problems).run();
}

std::string title_of(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return "";
  text.remove_prefix(start);
  if (!text.starts_with("//") && !text.starts_with("(*")) return "";
  std::string_view line = text.substr(2, text.find('\n') == std::string_view::npos ? text.size() : text.find('\n') - 2);
  if (const std::size_t close = line.find("*)"); close != std::string_view::npos) line = line.substr(0, close);
  const std::size_t first = line.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return "";
  return std::string(line.substr(first, line.find_last_not_of(" \t\r") - first + 1));
}

std::string describe(const Token& token) {
  if (token.kind == TokenKind::end) return "end of file";
  if (token.kind == TokenKind::string) return "a string";
  return "`" + token.text + "`";
}

}  // namespace heddle::relation
