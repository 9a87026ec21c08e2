// See parser.h. Expressions and formulas are in expression_parser.cpp. Tested in parser_test.cpp.
#include "relation/parser.h"

#include <algorithm>
#include <map>
#include <set>

#include "relation/expression_parser.h"

namespace heddle::relation {
namespace {

const std::map<std::string, StatementKind, std::less<>> kinds = {
    {"let", StatementKind::let},
    {"view", StatementKind::view},
    {"save", StatementKind::save},
    {"acyclic", StatementKind::acyclic},
    {"irreflexive", StatementKind::irreflexive},
    {"empty", StatementKind::empty},
    {"coherence", StatementKind::coherence},
    {"causal", StatementKind::causal},
    {"error", StatementKind::error},
    {"warning", StatementKind::warning},
    {"include", StatementKind::include},
    {"predicate", StatementKind::predicate},
    {"relation", StatementKind::relation},
    {"declare", StatementKind::relation},
    {"disjoint", StatementKind::disjoint},
    {"assume", StatementKind::assume},
    {"assert", StatementKind::assert_},
    {"needs", StatementKind::needs},
};

// models/./a/../b.kat -> models/b.kat, so that one file has one name.
std::string normalized(const std::string& path) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    const std::string part = path.substr(start, end - start);
    if (part == ".." && !parts.empty() && parts.back() != ".." && !parts.back().empty())
      parts.pop_back();
    else if (part != "." && !(part.empty() && start > 0))
      parts.push_back(part);
    start = end + 1;
  }
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) result += (i > 0 ? "/" : "") + parts[i];
  return result;
}

class Parser {
 public:
  Parser(ParsedFile& result, const FileReader& read_file, Diagnostics& problems)
      : result_(result), read_file_(read_file), problems_(problems) {}

  void parse_file(unsigned file) {
    open_.push_back(file);
    TokenStream tokens(result_.files, file, problems_);
    while (!tokens.at(TokenKind::end) && problems_.size() < maximal_problems) {
      try {
        parse_statement(tokens);
      } catch (const SyntaxFailure&) {
        while (!tokens.at_end_of_statement()) tokens.take();
      }
    }
    open_.pop_back();
  }

 private:
  void parse_statement(TokenStream& tokens) {
    const Token keyword = tokens.here();
    if (!begins_statement(keyword)) {
      const std::string hint = keyword.kind == TokenKind::name ? suggest_statement(keyword.text) : "";
      tokens.fail(keyword.position, "expected a statement, found " + describe(keyword),
                  hint.empty() ? "a statement begins with a word such as let, view, acyclic, error or assert" : hint);
    }
    tokens.take();
    Statement statement;
    statement.position = keyword.position;
    statement.kind = kinds.at(keyword.text);
    ExpressionParser expressions(tokens);
    switch (statement.kind) {
      case StatementKind::let: parse_let(statement, tokens); break;
      case StatementKind::view:
      case StatementKind::save: statement.bindings.push_back(parse_binding(tokens)); break;
      case StatementKind::error:
      case StatementKind::warning: parse_rule(statement, tokens); break;
      case StatementKind::include: parse_include(statement, tokens); break;
      case StatementKind::predicate:
      case StatementKind::relation: parse_declaration(statement, tokens); break;
      case StatementKind::needs: parse_needs(statement, tokens); break;
      case StatementKind::disjoint:
        do statement.members.push_back(expressions.parse_expression());
        while (tokens.accept(TokenKind::comma) || !tokens.at_end_of_statement());
        break;
      case StatementKind::assume:
      case StatementKind::assert_: statement.formula = expressions.parse_formula(); break;
      default: statement.expression = expressions.parse_expression(); break;
    }
    if (!tokens.at_end_of_statement()) {
      const Token& found = tokens.here();
      tokens.fail(found.position, "expected an operator or the next statement, found " + describe(found),
                  found.kind == TokenKind::name ? suggest_statement(found.text) : "");
    }
    result_.statements.push_back(std::move(statement));
  }

  static Binding parse_binding(TokenStream& tokens) {
    Binding binding = take_defined_name(tokens, "a name");
    tokens.take(TokenKind::equals, "`=`");
    binding.expression = ExpressionParser(tokens).parse_expression();
    return binding;
  }

  static Binding take_defined_name(TokenStream& tokens, const std::string& expected) {
    const Token name = tokens.take_name(expected);
    if (name.text.find("::") != std::string::npos)
      tokens.fail(name.position, "`" + name.text + "` cannot be defined here", "define a name without `::`");
    if (tokens.at(TokenKind::inverse) && tokens.here().text == "-1")
      tokens.fail(name.position, "a name cannot end in `-1`: that is the inverse of `" + name.text + "`");
    return {name.text, name.position, nullptr};
  }

  static void parse_let(Statement& statement, TokenStream& tokens) {
    if (tokens.at_word("rec")) {
      tokens.take();
      statement.kind = StatementKind::let_rec;
    }
    statement.bindings.push_back(parse_binding(tokens));
    while (tokens.at_word("and")) {
      const Token word = tokens.take();
      if (statement.kind == StatementKind::let)
        tokens.fail(word.position, "`and` joins the definitions of a `let rec`", "begin a new `let` instead");
      statement.bindings.push_back(parse_binding(tokens));
    }
  }

  static void parse_rule(Statement& statement, TokenStream& tokens) {
    statement.bindings.push_back(take_defined_name(tokens, "the name of the rule"));
    if (!tokens.at_word("unless"))
      tokens.fail(tokens.here().position, "expected `unless`, found " + describe(tokens.here()));
    tokens.take();
    ExpressionParser expressions(tokens);
    statement.expression = expressions.parse_expression();
    tokens.take(TokenKind::included, "`<=`");
    statement.bound = expressions.parse_expression();
  }

  // Names with or without commas. `declare rf rf^-1` mentions the inverse of what it declares; that adds nothing.
  static void parse_declaration(Statement& statement, TokenStream& tokens) {
    do {
      const Token name = tokens.take_name("a name");
      if (tokens.at(TokenKind::inverse)) {
        const Token inverse = tokens.take();
        if (statement.kind != StatementKind::relation ||
            std::none_of(statement.bindings.begin(), statement.bindings.end(),
                         [&](const Binding& binding) { return binding.name == name.text; }))
          tokens.fail(inverse.position, "declare `" + name.text + "` itself; its inverse comes with it");
        continue;
      }
      if (name.text.find("::") != std::string::npos)
        tokens.fail(name.position, "`" + name.text + "` cannot be declared here", "declare a name without `::`");
      statement.bindings.push_back({name.text, name.position, nullptr});
    } while (tokens.accept(TokenKind::comma) || !tokens.at_end_of_statement());
  }

  // The names that the file takes from the one that includes it: another includer may mean something else by them, so
  // that the file is read anew for each.
  void parse_needs(Statement& statement, TokenStream& tokens) {
    do statement.bindings.push_back(take_defined_name(tokens, "a name"));
    while (tokens.accept(TokenKind::comma) || !tokens.at_end_of_statement());
    if (open_.size() > 1) statement.includer = open_[open_.size() - 2];
    read_anew_.insert(open_.back());
  }

  void parse_include(Statement& statement, TokenStream& tokens) {
    const Token path = tokens.take(TokenKind::string, "a file name in quotes");
    const std::string& includer = result_.files[path.position.file].path;
    const std::size_t slash = includer.rfind('/');
    const std::string full = normalized(path.text.starts_with('/') || slash == std::string::npos
                                            ? path.text
                                            : includer.substr(0, slash + 1) + path.text);
    for (unsigned file = 0; file < result_.files.size(); ++file) {
      if (normalized(result_.files[file].path) != full) continue;
      const bool open = std::find(open_.begin(), open_.end(), file) != open_.end();
      if (!open && read_anew_.contains(file)) continue;
      if (open)
        tokens.fail(path.position, "`" + full + "` includes itself" + route_to(file),
                    "move what both need to a third file");
      statement.included = file;  // included before: once is enough
      return;
    }
    if (result_.files.size() >= maximal_files) tokens.fail(path.position, "too many included files");
    std::optional<std::string> text = read_file_ ? read_file_(full) : std::nullopt;
    if (!text) tokens.fail(path.position, "cannot read `" + full + "`", "included files are looked up beside the file");
    if (text->size() > maximal_file_size) tokens.fail(path.position, "`" + full + "` is too large for a model");
    statement.included = static_cast<unsigned>(result_.files.size());
    result_.files.push_back({full, std::move(*text)});
    parse_file(statement.included);
  }

  // " through `b.kat`", or nothing if the file names itself.
  std::string route_to(unsigned file) const {
    std::string route;
    for (auto at = std::find(open_.begin(), open_.end(), file) + 1; at < open_.end(); ++at)
      route += (route.empty() ? " through `" : ", `") + result_.files[*at].path + "`";
    return route;
  }

  ParsedFile& result_;
  const FileReader& read_file_;
  Diagnostics& problems_;
  std::vector<unsigned> open_;  // files being read, each includes the next
  std::set<unsigned> read_anew_;  // files with `needs`
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
