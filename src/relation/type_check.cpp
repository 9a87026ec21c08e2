// See type_check.h. A mistake inside an expression gives one diagnostic and a null expression; everything that uses
// it stays silent, so that one mistake gives one message. Tested in parser_test.cpp.
#include "relation/type_check.h"

#include <map>

#include "relation/lexer.h"
#include "relation/print_expression.h"
#include "relation/spelling.h"
#include "relation/vocabulary.h"

namespace heddle::relation {
namespace {

class TypeChecker {
 public:
  TypeChecker(const ParsedFile& parsed, ModelFile& model, Diagnostics& problems)
      : parsed_(parsed), model_(model), problems_(problems) {
    for (const SetName& entry : set_names)
      names_[std::string(entry.name)] = make_label(entry.bit, std::string(entry.name));
    names_["M"] = make_expression(ExpressionKind::set_union, {names_["R"], names_["W"]});
    names_["_"] = make_expression(ExpressionKind::every_event, {});
    for (const RelationName& entry : relation_names) {
      names_[std::string(entry.name)] = make_primitive(entry.primitive, std::string(entry.name));
    }
  }

  void run() {
    for (const Statement& statement : parsed_.statements) check(statement);
  }

 private:
  void report(Position position, std::string message, std::string hint = {}) {
    problems_.push_back(diagnostic_at(parsed_.files, position, std::move(message), std::move(hint)));
  }

  void check(const Statement& statement) {
    ExpressionPointer expression;
    if (statement.expression) {
      expression = resolve(*statement.expression);
      if (expression && expression->size > maximal_size) {
        report(statement.position, "this expression is too large once its names are expanded");
        expression = nullptr;
      }
    }
    switch (statement.kind) {
      case StatementKind::let: define(statement, expression); break;
      case StatementKind::view: define_view(statement, expression); break;
      case StatementKind::coherence: set_coherence(statement); break;
      case StatementKind::causal: check_causal(statement, expression); break;
      case StatementKind::error:
      case StatementKind::warning: add_rule(statement, expression); break;
      case StatementKind::acyclic: add_constraint(ConstraintKind::acyclic, "acyclic ", statement, expression); break;
      case StatementKind::irreflexive:
        add_constraint(ConstraintKind::irreflexive, "irreflexive ", statement, expression);
        break;
      case StatementKind::empty: add_constraint(ConstraintKind::empty, "empty ", statement, expression); break;
    }
  }

  void define(const Statement& statement, ExpressionPointer expression) {
    const auto [entry, added] = names_.emplace(statement.name, std::move(expression));
    if (!added)
      report(statement.name_position, "the name `" + statement.name + "` is already defined", "choose another name");
  }

  void define_view(const Statement& statement, const ExpressionPointer& expression) {
    if (expression && expression->kind != ExpressionKind::plus) {
      report(statement.position, "a view must be a transitive closure, written `view name = (...)+`");
    }
    const unsigned index = static_cast<unsigned>(model_.views.size());
    const bool good = expression && expression->kind == ExpressionKind::plus;
    const ExpressionPointer step = good ? expression->parts[0] : nullptr;
    if (step) require_saveable(*step, statement);
    define(statement, make_view(index, statement.name));
    model_.views.push_back({statement.name, step, statement.position});
  }

  // A view is computed once, when its event is added: it may only look at what never changes before that event.
  void require_saveable(const Expression& expression, const Statement& statement) {
    using enum Primitive;
    bool bad = expression.kind == ExpressionKind::inverse;
    if (expression.kind == ExpressionKind::primitive) {
      switch (expression.primitive) {
        case po:
        case po_imm:
        case po_loc:
        case rf:
        case rfe:
        case rfi:
        case rmw:
        case tc:
        case tj: break;
        default: bad = true;
      }
    }
    if (bad) {
      report(statement.position,
             "the view `" + statement.name + "` uses `" + print_expression(expression) +
                 "`, which can change after an event was added",
             "a view may use po, rf, rmw, tc, tj, their variants, and other views");
      return;
    }
    for (const ExpressionPointer& part : expression.parts) require_saveable(*part, statement);
  }

  std::optional<unsigned> find_view(const std::string& name, Position position) {
    std::vector<std::string_view> candidates;
    for (unsigned i = 0; i < model_.views.size(); ++i) {
      if (model_.views[i].name == name) return i;
      candidates.push_back(model_.views[i].name);
    }
    const bool known = names_.contains(name);
    report(position, known ? "`" + name + "` is not a view" : "there is no view `" + name + "`",
           known ? "define it with `view` instead of `let`" : did_you_mean(name, candidates));
    return std::nullopt;
  }

  void set_coherence(const Statement& statement) {
    if (model_.coherence) report(statement.position, "a model has only one `coherence` statement");
    model_.coherence = find_view(statement.name, statement.name_position);
  }

  void check_causal(const Statement& statement, const ExpressionPointer& expression) {
    if (!require_relation(statement, expression)) return;
    std::vector<bool> found(4);
    bool good = expression->kind == ExpressionKind::plus && expression->parts[0]->kind == ExpressionKind::alternative;
    if (good) {
      for (const ExpressionPointer& part : expression->parts[0]->parts) {
        if (part->kind != ExpressionKind::primitive)
          good = false;
        else if (part->primitive == Primitive::po)
          found[0] = true;
        else if (part->primitive == Primitive::rf)
          found[1] = true;
        else if (part->primitive == Primitive::tc)
          found[2] = true;
        else if (part->primitive == Primitive::tj)
          found[3] = true;
        else
          good = false;
      }
    }
    if (!good || !found[0] || !found[1] || !found[2] || !found[3]) {
      report(statement.position, "the causal order must be `(po | rf | tc | tj)+`",
             "models that track dependencies are not supported");
    }
  }

  void add_rule(const Statement& statement, const ExpressionPointer& expression) {
    const std::optional<unsigned> view = find_view(statement.bound, statement.bound_position);
    if (!require_relation(statement, expression) || !view) return;
    model_.rules.push_back(
        {statement.name, statement.kind == StatementKind::warning, expression, *view, statement.position});
  }

  void add_constraint(ConstraintKind kind, const std::string& word, const Statement& statement,
                      const ExpressionPointer& expression) {
    if (!require_relation(statement, expression)) return;
    std::string text =
        statement.expression->kind == SyntaxKind::name ? statement.expression->name : print_expression(*expression);
    model_.constraints.push_back({kind, expression, word + text, statement.position});
  }

  bool require_relation(const Statement& statement, const ExpressionPointer& expression) {
    if (expression && expression->is_set()) {
      report(statement.expression->position, "expected a relation, found a set of events",
             "write `[S]` for its identity");
      return false;
    }
    return expression != nullptr;
  }

  // --- expressions: null after a reported mistake ---

  ExpressionPointer resolve(const Syntax& syntax) {
    if (syntax.kind == SyntaxKind::name) return resolve_name(syntax);
    std::vector<ExpressionPointer> parts;
    bool failed = false;
    for (const SyntaxPointer& part : syntax.parts) {
      parts.push_back(resolve(*part));
      if (!parts.back()) failed = true;
    }
    if (failed) return nullptr;
    ExpressionPointer result = combine(syntax, std::move(parts));
    if (result && result->depth > maximal_depth) {
      report(syntax.position, "this expression is nested too deeply once its names are expanded");
      return nullptr;
    }
    return result;
  }

  ExpressionPointer resolve_name(const Syntax& syntax) {
    if (const auto found = names_.find(syntax.name); found != names_.end()) return found->second;
    std::vector<std::string_view> candidates;
    for (const auto& [name, expression] : names_) candidates.push_back(name);
    report(syntax.position, "unknown name `" + syntax.name + "`", did_you_mean(syntax.name, candidates));
    return nullptr;
  }

  ExpressionPointer combine(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
    bool any_set = false, any_relation = false;
    for (const ExpressionPointer& part : parts) (part->is_set() ? any_set : any_relation) = true;
    if (any_set && any_relation) {
      report(syntax.position, "this mixes a set of events with a relation", "write `[S]` to use a set as a relation");
      return nullptr;
    }
    if (syntax.kind == SyntaxKind::test) {
      if (any_relation) {
        report(syntax.position, "`[...]` needs a set of events, found a relation");
        return nullptr;
      }
      return make_expression(ExpressionKind::test, std::move(parts));
    }
    return any_set ? combine_sets(syntax, std::move(parts)) : combine_relations(syntax, std::move(parts));
  }

  ExpressionPointer combine_sets(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
    switch (syntax.kind) {
      case SyntaxKind::alternative: return make_expression(ExpressionKind::set_union, std::move(parts));
      case SyntaxKind::intersection: return make_expression(ExpressionKind::set_intersection, std::move(parts));
      case SyntaxKind::difference: return make_expression(ExpressionKind::set_difference, std::move(parts));
      default:
        report(syntax.position, "this operator works on relations, found a set of events",
               "write `[S]` to use a set as a relation");
    }
    return nullptr;
  }

  static bool is_location(const Expression& expression) {
    return expression.kind == ExpressionKind::primitive && expression.primitive == Primitive::loc;
  }
  static bool filterable(const Expression& expression) {
    return expression.kind == ExpressionKind::view ||
           (expression.kind == ExpressionKind::primitive && expression.primitive == Primitive::po);
  }

  ExpressionPointer combine_relations(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
    switch (syntax.kind) {
      case SyntaxKind::alternative: return make_expression(ExpressionKind::alternative, std::move(parts));
      case SyntaxKind::sequence: return make_expression(ExpressionKind::sequence, std::move(parts));
      case SyntaxKind::optional: return make_expression(ExpressionKind::optional, std::move(parts));
      case SyntaxKind::plus: return make_expression(ExpressionKind::plus, std::move(parts));
      case SyntaxKind::star: return make_expression(ExpressionKind::star, std::move(parts));
      case SyntaxKind::inverse: return make_expression(ExpressionKind::inverse, std::move(parts));
      default: break;
    }
    const bool both = syntax.kind == SyntaxKind::intersection;
    if (both && parts.size() == 2 && is_location(*parts[0])) std::swap(parts[0], parts[1]);
    if (parts.size() != 2 || !is_location(*parts[1]) || !filterable(*parts[0])) {
      report(syntax.position, std::string("relations support `") + (both ? "&" : "\\") + "` only as `X " +
                                  (both ? "&" : "\\") + " loc`, where X is po or a view");
      return nullptr;
    }
    parts.pop_back();
    return make_expression(both ? ExpressionKind::same_location : ExpressionKind::other_location, std::move(parts));
  }

  const ParsedFile& parsed_;
  ModelFile& model_;
  Diagnostics& problems_;
  std::map<std::string, ExpressionPointer, std::less<>> names_;
};

}  // namespace

void type_check(const ParsedFile& parsed, ModelFile& model, Diagnostics& problems) {
  TypeChecker(parsed, model, problems).run();
}

ModelFile read_model(const std::string& text, const std::string& path, const FileReader& read_file,
                     Diagnostics& problems) {
  ModelFile model;
  model.title = title_of(text);
  ParsedFile parsed = parse(text, path, read_file, problems);
  if (!parsed.files.empty()) type_check(parsed, model, problems);
  model.files = std::move(parsed.files);
  return model;
}

}  // namespace heddle::relation
