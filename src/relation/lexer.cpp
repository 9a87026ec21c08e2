// See lexer.h. Tested in parser_test.cpp.
#include "relation/lexer.h"

#include <utility>

#include "relation/parser.h"
#include "relation/utf8.h"

namespace heddle::relation {
namespace {

bool starts_name(unsigned char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool continues_name(unsigned char c) { return starts_name(c) || (c >= '0' && c <= '9') || c == '-'; }

// Fixed spellings, longer before shorter among those that share a beginning.
constexpr std::pair<std::string_view, TokenKind> spellings[] = {
    {"^-1", TokenKind::inverse},
    {"\u207b\u00b9", TokenKind::inverse},
    {"^+", TokenKind::plus},
    {"^*", TokenKind::star},
    {"^?", TokenKind::question},
    {"<=>", TokenKind::equivalence},
    {"\u21d4", TokenKind::equivalence},
    {"<=", TokenKind::included},
    {"\u2286", TokenKind::included},
    {"=>", TokenKind::implication},
    {"\u21d2", TokenKind::implication},
    {"=", TokenKind::equals},
    {"/\\", TokenKind::conjunction},
    {"\u2227", TokenKind::conjunction},
    {"\\/", TokenKind::disjunction},
    {"\u2228", TokenKind::disjunction},
    {"\u00ac", TokenKind::negation},
    {"|", TokenKind::bar},
    {"\u222a", TokenKind::bar},
    {";", TokenKind::semicolon},
    {"\u2a3e", TokenKind::semicolon},
    {"&", TokenKind::ampersand},
    {"\u2229", TokenKind::ampersand},
    {"\\", TokenKind::backslash},
    {"\u2216", TokenKind::backslash},
    {"\u00d7", TokenKind::product},
    {"~", TokenKind::complement},
    {"?", TokenKind::question},
    {"*", TokenKind::star},
    {"\u204e", TokenKind::star},
    {"\u2217", TokenKind::star},
    {"+", TokenKind::plus},
    {"\u207a", TokenKind::plus},
    {"0", TokenKind::zero},
    {"\u2205", TokenKind::zero},
    {",", TokenKind::comma},
    {"(", TokenKind::left_parenthesis},
    {")", TokenKind::right_parenthesis},
    {"[", TokenKind::left_bracket},
    {"]", TokenKind::right_bracket},
};

class Lexer {
 public:
  Lexer(const SourceFiles& files, unsigned file, Diagnostics& problems)
      : files_(files), text_(files[file].text), problems_(problems), here_{file, 1, 1} {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    if (sees("\ufeff")) text_.remove_prefix(3);  // a byte order mark says nothing in UTF-8
    while (is_text()) {
      skip_blanks_and_comments();
      if (at_ == text_.size()) break;
      next(tokens);
      after_last_ = here_;
      if (problems_.size() >= maximal_problems) break;  // binary rubbish: enough was said
    }
    tokens.push_back({TokenKind::end, "", after_last_});
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

  // Reports the first byte that is not UTF-8.
  bool is_text() {
    if (checked_) return true;
    checked_ = true;
    for (std::size_t i = 0; i < text_.size();) {
      const std::size_t length = character_length(text_, i);
      if (length == 0) {
        advance(i);
        constexpr const char* digits = "0123456789abcdef";
        const unsigned byte = static_cast<unsigned char>(text_[i]);
        problems_.push_back(diagnostic_at(
            files_, here_, std::string("the byte 0x") + digits[byte >> 4] + digits[byte & 15] + " is not valid UTF-8",
            "save the file as UTF-8 or ASCII"));
        return false;
      }
      i += length;
    }
    return true;
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

  void next(std::vector<Token>& tokens) {
    const Position start = here_;
    if (starts_name(static_cast<unsigned char>(text_[at_]))) return name(start, tokens);
    if (text_[at_] == '"') return tokens.push_back(quoted(start));
    for (const auto& [word, kind] : spellings) {
      if (!sees(word)) continue;
      advance(word.size());
      return tokens.push_back({kind, std::string(word), start});
    }
    report_unknown(start);
    tokens.push_back({TokenKind::bad, "", start});
  }

  void name(Position start, std::vector<Token>& tokens) {
    const std::size_t from = at_;
    for (;;) {
      while (at_ < text_.size() && continues_name(static_cast<unsigned char>(text_[at_]))) advance(1);
      if (!sees("::") || at_ + 2 >= text_.size() || !starts_name(static_cast<unsigned char>(text_[at_ + 2]))) break;
      advance(2);
    }
    std::string_view word = text_.substr(from, at_ - from);
    const bool inverse = word.size() > 2 && word.ends_with("-1");
    if (inverse) word.remove_suffix(2);
    tokens.push_back({TokenKind::name, std::string(word), start});
    if (inverse) tokens.push_back({TokenKind::inverse, "-1", {here_.file, here_.line, here_.column - 2}});
  }

  Token quoted(Position start) {
    advance(1);
    const std::size_t from = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') advance(1);
    std::string content(text_.substr(from, at_ - from));
    if (at_ == text_.size() || text_[at_] != '"') {
      problems_.push_back(
          diagnostic_at(files_, start, "this string is not closed", "end it with `\"` on the same line"));
      return {TokenKind::bad, "", start};
    }
    advance(1);
    return {TokenKind::string, std::move(content), start};
  }

  void report_unknown(Position start) {
    const unsigned char c = static_cast<unsigned char>(text_[at_]);
    const std::size_t length = character_length(text_, at_);
    const bool control = c < 0x20 || c == 0x7f;
    const std::string shown = control ? "byte " + std::to_string(c) : std::string(text_.substr(at_, length));
    problems_.push_back(diagnostic_at(files_, start, "unexpected character `" + shown + "`",
                                      c == '#' ? "a comment begins with `//`" : ""));
    advance(length);
  }

  const SourceFiles& files_;
  std::string_view text_;
  Diagnostics& problems_;
  std::size_t at_ = 0;
  bool checked_ = false;
  Position here_;
  Position after_last_ = here_;  // where the last token ended: what is missing at the end is missing there
};

// The line as a terminal can show it.
std::string printable(std::string_view line) {
  std::string shown;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t length = character_length(line, i);
    const unsigned char c = static_cast<unsigned char>(line[i]);
    if (length == 0 || c < 0x20 || c == 0x7f)
      shown += c == '\t' ? '\t' : '?';
    else
      shown += line.substr(i, length);
    i += length == 0 ? 1 : length;
  }
  return shown;
}

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
  if (line.size() <= 400) diagnostic.excerpt = printable(line);
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
