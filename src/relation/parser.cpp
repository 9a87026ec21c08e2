// See parser.h. Recursive descent; nesting is limited, and chains of one operator become one wide node, so no input
// can make the recursion deep. Tested in parser_test.cpp.
#include "relation/parser.h"

#include <algorithm>

#include "relation/expression.h"
#include "relation/lexer.h"
#include "relation/spelling.h"

namespace heddle::relation {
namespace {

constexpr std::string_view keywords[] = {"let",       "view",   "acyclic", "irreflexive", "empty",
                                         "coherence", "causal", "error",   "warning",     "include"};

bool is_keyword(const Token& token) {
  return token.kind == TokenKind::name &&
         std::find(std::begin(keywords), std::end(keywords), token.text) != std::end(keywords);
}

struct SyntaxFailure {};  // caught at the statement: the mistake is already in the diagnostics

class Parser {
 public:
  Parser(ParsedFile& result, const FileReader& read_file, Diagnostics& problems)
      : result_(result), read_file_(read_file), problems_(problems) {}

  void parse_file(unsigned file) {
    const std::vector<Token> tokens = tokenize(result_.files, file, problems_);
    const std::vector<Token>* outer_tokens = tokens_;
    const std::size_t outer_at = at_;
    tokens_ = &tokens;
    at_ = 0;
    while (here().kind != TokenKind::end && problems_.size() < 50) {
      try {
        parse_statement();
      } catch (const SyntaxFailure&) {
        while (here().kind != TokenKind::end && !is_keyword(here())) ++at_;
      }
    }
    tokens_ = outer_tokens;
    at_ = outer_at;
  }

 private:
  const Token& here() const { return (*tokens_)[at_]; }
  bool at(TokenKind kind) const { return here().kind == kind; }

  [[noreturn]] void fail(Position position, std::string message, std::string hint = {}) {
    problems_.push_back(diagnostic_at(result_.files, position, std::move(message), std::move(hint)));
    throw SyntaxFailure{};
  }

  Token take(TokenKind kind, const std::string& expected) {
    if (!at(kind)) fail(here().position, "expected " + expected + ", found " + describe(here()));
    return (*tokens_)[at_++];
  }

  Token take_name(const std::string& expected) {
    if (is_keyword(here())) fail(here().position, "expected " + expected + ", found the keyword " + describe(here()));
    return take(TokenKind::name, expected);
  }

  void parse_statement() {
    nesting_ = 0;
    const Token keyword = here();
    if (!is_keyword(keyword)) {
      ++at_;
      const std::string hint =
          keyword.kind == TokenKind::name ? did_you_mean(keyword.text, {std::begin(keywords), std::end(keywords)}) : "";
      fail(keyword.position, "expected a statement, found " + describe(keyword),
           hint.empty() ? "a statement begins with let, view, acyclic, irreflexive, empty, coherence, causal, error, "
                          "warning or include"
                        : hint);
    }
    ++at_;
    if (keyword.text == "include") return parse_include();
    Statement statement;
    statement.position = keyword.position;
    statement.kind = kind_of(keyword.text);
    switch (statement.kind) {
      case StatementKind::let:
      case StatementKind::view:
        take_statement_name(statement, "a name");
        take(TokenKind::equals, "`=`");
        statement.expression = parse_expression();
        break;
      case StatementKind::coherence: take_statement_name(statement, "the name of a view"); break;
      case StatementKind::error:
      case StatementKind::warning: parse_rule(statement); break;
      default: statement.expression = parse_expression(); break;
    }
    require_end_of_statement();
    result_.statements.push_back(std::move(statement));
  }

  static StatementKind kind_of(const std::string& keyword) {
    if (keyword == "let") return StatementKind::let;
    if (keyword == "view") return StatementKind::view;
    if (keyword == "acyclic") return StatementKind::acyclic;
    if (keyword == "irreflexive") return StatementKind::irreflexive;
    if (keyword == "empty") return StatementKind::empty;
    if (keyword == "coherence") return StatementKind::coherence;
    if (keyword == "causal") return StatementKind::causal;
    return keyword == "error" ? StatementKind::error : StatementKind::warning;
  }

  void take_statement_name(Statement& statement, const std::string& expected) {
    const Token name = take_name(expected);
    statement.name = name.text;
    statement.name_position = name.position;
  }

  void parse_rule(Statement& statement) {
    take_statement_name(statement, "the name of the rule");
    const Token unless = take_name("`unless`");
    if (unless.text != "unless") fail(unless.position, "expected `unless`, found " + describe(unless));
    statement.expression = parse_expression();
    take(TokenKind::included, "`<=`");
    const Token bound = take_name("the name of a view");
    statement.bound = bound.text;
    statement.bound_position = bound.position;
  }

  void require_end_of_statement() {
    if (at(TokenKind::end) || is_keyword(here())) return;
    fail(here().position, "expected an operator or the next statement, found " + describe(here()));
  }

  void parse_include() {
    const Token path = take(TokenKind::string, "a file name in quotes");
    if (result_.files.size() >= maximal_files) fail(path.position, "too many included files");
    const std::string& includer = result_.files[path.position.file].path;
    const std::size_t slash = includer.rfind('/');
    const std::string full = path.text.starts_with('/') || slash == std::string::npos
                                 ? path.text
                                 : includer.substr(0, slash + 1) + path.text;
    for (const SourceFile& file : result_.files) {
      if (file.path == full) return;  // included before: once is enough, and cycles end here
    }
    std::optional<std::string> text = read_file_ ? read_file_(full) : std::nullopt;
    if (!text) fail(path.position, "cannot read `" + full + "`", "included files are looked up beside the file");
    if (text->size() > maximal_file_size) fail(path.position, "`" + full + "` is too large for a model");
    result_.files.push_back({full, std::move(*text)});
    parse_file(static_cast<unsigned>(result_.files.size() - 1));
  }

  // Operators by level: 0 `|`, 1 `;`, 2 `\`, 3 `&`.
  SyntaxPointer parse_expression(unsigned level = 0) {
    constexpr TokenKind operators[] = {TokenKind::bar, TokenKind::semicolon, TokenKind::backslash,
                                       TokenKind::ampersand};
    constexpr SyntaxKind kinds[] = {SyntaxKind::alternative, SyntaxKind::sequence, SyntaxKind::difference,
                                    SyntaxKind::intersection};
    if (level == 4) return parse_postfix();
    SyntaxPointer left = parse_expression(level + 1);
    if (!at(operators[level])) return left;
    for (bool chain = false; at(operators[level]);) {
      const Position position = here().position;
      ++at_;
      if (!chain) left = node(kinds[level], position, std::move(left));
      chain = level != 2;  // `\` takes two operands, the others any number
      add_part(*left, parse_expression(level + 1));
    }
    return left;
  }

  SyntaxPointer parse_postfix() {
    SyntaxPointer operand = parse_atom();
    for (;;) {
      SyntaxKind kind{};
      switch (here().kind) {
        case TokenKind::question: kind = SyntaxKind::optional; break;
        case TokenKind::star: kind = SyntaxKind::star; break;
        case TokenKind::plus: kind = SyntaxKind::plus; break;
        case TokenKind::inverse: kind = SyntaxKind::inverse; break;
        default: return operand;
      }
      const Position position = here().position;
      ++at_;
      operand = node(kind, position, std::move(operand));
    }
  }

  SyntaxPointer parse_atom() {
    const Token token = here();
    if (token.kind == TokenKind::name && !is_keyword(token)) {
      ++at_;
      auto leaf = std::make_unique<Syntax>();
      leaf->kind = SyntaxKind::name;
      leaf->position = token.position;
      leaf->name = token.text;
      return leaf;
    }
    if (token.kind != TokenKind::left_parenthesis && token.kind != TokenKind::left_bracket) {
      fail(token.position, "expected an expression, found " + describe(token));
    }
    ++at_;
    if (++nesting_ > maximal_depth) fail(token.position, "this expression is nested too deeply");
    const bool bracket = token.kind == TokenKind::left_bracket;
    SyntaxPointer inner = parse_expression();
    take(bracket ? TokenKind::right_bracket : TokenKind::right_parenthesis, bracket ? "`]`" : "`)`");
    --nesting_;
    return bracket ? node(SyntaxKind::test, token.position, std::move(inner)) : std::move(inner);
  }

  SyntaxPointer node(SyntaxKind kind, Position position, SyntaxPointer part) {
    auto result = std::make_unique<Syntax>();
    result->kind = kind;
    result->position = position;
    add_part(*result, std::move(part));
    return result;
  }

  void add_part(Syntax& parent, SyntaxPointer part) {
    parent.depth = std::max(parent.depth, part->depth + 1);
    const Position position = part->position;
    parent.parts.push_back(std::move(part));
    if (parent.depth > maximal_depth) fail(position, "this expression is nested too deeply");
  }

  ParsedFile& result_;
  const FileReader& read_file_;
  Diagnostics& problems_;
  const std::vector<Token>* tokens_ = nullptr;
  std::size_t at_ = 0;
  unsigned nesting_ = 0;
};

}  // namespace

ParsedFile parse(const std::string& text, const std::string& path, const FileReader& read_file, Diagnostics& problems) {
  ParsedFile result;
  if (text.size() > maximal_file_size) {
    problems.push_back({path, 0, 0, "the file is too large for a model", "", ""});
    return result;
  }
  result.files.push_back({path, text});
  Parser(result, read_file, problems).parse_file(0);
  return result;
}

}  // namespace heddle::relation
