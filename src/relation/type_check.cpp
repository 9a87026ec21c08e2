// See type_check.h. Expressions are resolved in resolve.cpp; here is what each statement asks of them. Tested in
// parser_test.cpp and type_check_test.cpp.
#include "relation/type_check.h"

#include "relation/print_expression.h"
#include "relation/recursion.h"
#include "relation/resolve.h"

namespace heddle::relation {
namespace {

// Alternatives of [S] ; loc ; [T]: pairs of accesses that conflict, in no direction.
bool is_conflict(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::primitive: return e.primitive == Primitive::loc;
    case ExpressionKind::alternative:
      for (const ExpressionPointer& part : e.parts) {
        if (!is_conflict(*part)) return false;
      }
      return !e.parts.empty();
    case ExpressionKind::sequence: {
      unsigned conflicts = 0;
      for (const ExpressionPointer& part : e.parts) {
        if (part->kind == ExpressionKind::test) continue;
        if (!is_conflict(*part)) return false;
        ++conflicts;
      }
      return conflicts == 1;
    }
    default: return false;
  }
}

class TypeChecker {
 public:
  TypeChecker(const ParsedFile& parsed, ModelFile& model, Diagnostics& problems)
      : parsed_(parsed),
        model_(model),
        report_(parsed.files, problems),
        scopes_(parsed.files),
        resolver_(scopes_, report_) {}

  void run() {
    for (const Statement& statement : parsed_.statements) {
      if (report_.enough()) return;
      check(statement);
    }
  }

 private:
  void check(const Statement& statement) {
    switch (statement.kind) {
      case StatementKind::include: scopes_.include(statement.position.file, statement.included); return;
      case StatementKind::let:
        define(statement.bindings[0], resolver_.resolve(*statement.bindings[0].expression));
        return;
      case StatementKind::let_rec: define_recursive(statement); return;
      case StatementKind::needs: take_from_includer(statement); return;
      case StatementKind::view: define_view(statement); return;
      case StatementKind::save: define_saved(statement); return;
      case StatementKind::predicate: declare(statement, ExpressionKind::predicate, model_.predicates); return;
      case StatementKind::relation: declare(statement, ExpressionKind::uninterpreted, model_.relations); return;
      case StatementKind::disjoint: add_disjoint(statement); return;
      case StatementKind::coherence: set_coherence(statement); return;
      case StatementKind::causal: set_causal(statement); return;
      case StatementKind::error:
      case StatementKind::warning: add_rule(statement); return;
      case StatementKind::acyclic: add_constraint(ConstraintKind::acyclic, "acyclic ", statement); return;
      case StatementKind::irreflexive: add_constraint(ConstraintKind::irreflexive, "irreflexive ", statement); return;
      case StatementKind::empty: add_constraint(ConstraintKind::empty, "empty ", statement); return;
      case StatementKind::assume: add_claim(statement, model_.assumptions); return;
      case StatementKind::assert_: add_claim(statement, model_.assertions); return;
    }
  }

  // --- names ---

  void define(const Binding& binding, const ExpressionPointer& expression, bool declared = false) {
    if (model_.definitions.size() >= maximal_names) {
      report_(binding.position, "a model can define at most " + std::to_string(maximal_names) + " names");
      return;
    }
    const unsigned file = binding.position.file;
    if (!(declared ? scopes_.declare(file, binding.name, expression) : scopes_.define(file, binding.name, expression)))
      report_(binding.position, "the name `" + binding.name + "` is already defined", "choose another name");
    model_.definitions.push_back({binding.name, expression, binding.position});
  }

  void declare(const Statement& statement, ExpressionKind kind, std::vector<Definition>& list) {
    for (const Binding& binding : statement.bindings) {
      const ExpressionPointer expression = make_named(kind, static_cast<unsigned>(list.size()), binding.name);
      list.push_back({binding.name, expression, binding.position});
      define(binding, expression, true);
    }
  }

  // What stands before the `include` is known by now; the names mean here what they mean there.
  void take_from_includer(const Statement& statement) {
    for (const Binding& binding : statement.bindings) {
      ExpressionPointer expression;
      if (!statement.includer) {
        report_(binding.position, "nothing includes this file, which needs `" + binding.name + "`",
                "it is a part of models: check a model that defines the name and includes it");
      } else {
        const Scopes::Lookup found = scopes_.find(*statement.includer, binding.name);
        expression = found.expression;
        if (found.outcome == Scopes::Outcome::unknown)
          report_(binding.position, "the file that includes this one does not define `" + binding.name + "`",
                  "`" + parsed_.files[*statement.includer].path + "` has to define it before the `include`");
        if (found.outcome == Scopes::Outcome::ambiguous)
          report_(binding.position, "the name `" + binding.name + "` is ambiguous in the file that includes this one",
                  "define it there with `let " + binding.name + " = ...`: " + found.hint);
      }
      define(binding, expression);
    }
  }

  void define_recursive(const Statement& statement) {
    std::vector<std::string> names;
    std::map<std::string, ExpressionPointer> unknowns;
    for (const Binding& binding : statement.bindings) {
      unknowns[binding.name] = make_named(ExpressionKind::recursion, static_cast<unsigned>(names.size()), binding.name);
      names.push_back(binding.name);
    }
    bool good = true;
    std::vector<ExpressionPointer> definitions;
    resolver_.begin_recursion(std::move(unknowns));
    for (const Binding& binding : statement.bindings) {
      definitions.push_back(resolver_.resolve_relation(*binding.expression));
      good = good && definitions.back() && is_left_linear(*binding.expression, names, report_);
    }
    resolver_.end_recursion();
    std::vector<ExpressionPointer> solutions(names.size());
    if (good) {
      solutions = solve(definitions);
      for (const ExpressionPointer& solution : solutions) {
        if (solution && solution->size <= maximal_size && solution->depth <= maximal_depth) continue;
        report_(statement.position, "this recursion is too large once it is solved", "define fewer names at once");
        solutions.assign(names.size(), nullptr);
        break;
      }
    }
    for (std::size_t i = 0; i < names.size(); ++i) define(statement.bindings[i], solutions[i]);
  }

  void define_view(const Statement& statement) {
    const Binding& binding = statement.bindings[0];
    const ExpressionPointer expression = resolver_.resolve_relation(*binding.expression);
    const bool closure = expression && expression->kind == ExpressionKind::plus;
    if (expression && !closure)
      report_(statement.position, "a view must be a transitive closure, written `view name = (...)+`");
    const ExpressionPointer step = closure ? expression->parts[0] : nullptr;
    if (step) {
      const std::string offender = unsaveable_part(*step);
      if (!offender.empty()) report_(statement.position, "the view `" + binding.name + "` uses " + offender, saveable);
    }
    define(binding, make_view(static_cast<unsigned>(model_.views.size()), binding.name));
    model_.views.push_back({binding.name, step, statement.position});
  }

  // `save` only says that it pays to keep the relation: it becomes a view if it can be one, else it is a `let`.
  void define_saved(const Statement& statement) {
    const Binding& binding = statement.bindings[0];
    const ExpressionPointer expression = resolver_.resolve_relation(*binding.expression);
    if (!expression || expression->kind != ExpressionKind::plus || !has_program_order(*expression->parts[0]) ||
        !unsaveable_part(*expression->parts[0]).empty())
      return define(binding, expression);
    define(binding, make_view(static_cast<unsigned>(model_.views.size()), binding.name));
    model_.views.push_back({binding.name, expression->parts[0], statement.position});
  }

  static bool has_program_order(const Expression& e) {
    if (e.kind == ExpressionKind::primitive) return e.primitive == Primitive::po || e.primitive == Primitive::po_imm;
    if (e.kind != ExpressionKind::alternative) return false;
    for (const ExpressionPointer& part : e.parts) {
      if (has_program_order(*part)) return true;
    }
    return false;
  }

  static constexpr const char* saveable = "a view may use po, rf, rmw, tc, tj, their variants, and other views";

  // A view is computed once, when its event is added: it may only look at what never changes before that event.
  // What stands in the way, for a message; empty if nothing does.
  static std::string unsaveable_part(const Expression& e) {
    using enum Primitive;
    const auto changing = [&] { return "`" + print_expression(e) + "`, which can change after an event was added"; };
    switch (e.kind) {
      case ExpressionKind::inverse: return changing();
      case ExpressionKind::relation_intersection:
      case ExpressionKind::relation_difference:
      case ExpressionKind::product:
      case ExpressionKind::domain:
      case ExpressionKind::range:
        return "`" + print_expression(e) + "`, which is only known when the graph is complete";
      case ExpressionKind::same_ends:
      case ExpressionKind::rotation:
      case ExpressionKind::deduplication:
      case ExpressionKind::totality: return "`" + print_expression(e) + "`, which is only for `assert` and `assume`";
      case ExpressionKind::primitive:
        switch (e.primitive) {
          case po:
          case po_imm:
          case po_loc:
          case rf:
          case rfe:
          case rfi:
          case rmw:
          case tc:
          case tj:
          case addr:
          case data:
          case ctrl: return "";
          default: return changing();
        }
      default: break;
    }
    for (const ExpressionPointer& part : e.parts) {
      if (std::string offender = unsaveable_part(*part); !offender.empty()) return offender;
    }
    return "";
  }

  // --- what the model asks ---

  void set_coherence(const Statement& statement) {
    const Syntax& syntax = *statement.expression;
    if (syntax.kind == SyntaxKind::name &&
        scopes_.find(syntax.position.file, syntax.name).outcome == Scopes::Outcome::unknown) {
      report_(syntax.position, "there is no view `" + syntax.name + "`",
              scopes_.find(syntax.position.file, syntax.name).hint);
      return;
    }
    for (const Position& other : model_.coherence_positions) {
      if (other.file == statement.position.file)
        return report_(statement.position, "a model has only one `coherence` statement");
    }
    const ExpressionPointer expression = resolver_.resolve_relation(syntax);
    if (!expression) return;
    if (expression->kind != ExpressionKind::view) {
      const std::string shown = syntax.kind == SyntaxKind::name ? syntax.name : print_expression(*expression);
      return report_(syntax.position, "`" + shown + "` is not a view", "define it with `view` instead of `let`");
    }
    model_.coherence_positions.push_back(statement.position);
    if (!model_.coherence) model_.coherence = expression->number;
  }

  void set_causal(const Statement& statement) {
    const ExpressionPointer expression = resolver_.resolve_relation(*statement.expression);
    if (!expression || !require_evaluable(*statement.expression, *expression)) return;
    if (expression->uses(feature_late))
      return report_(statement.expression->position,
                     "the causal order uses `&`, `\\`, `ext` or a product in a way that is only known when the graph "
                     "is complete",
                     "the causal order must be known when an event is added");
    if (model_.causal && model_.causal_position.file == statement.position.file)
      return report_(statement.position, "a model has only one `causal` statement");
    model_.causal = expression;
    model_.causal_position = statement.position;
  }

  bool require_evaluable(const Syntax& syntax, const Expression& expression) {
    if (!expression.uses(feature_closure)) return true;
    report_(syntax.position, "`sameEnds`, `rot`, `dedup` and `tot` change the words of a relation, not its pairs",
            "use them in `assert` and `assume` only");
    return false;
  }

  void add_rule(const Statement& statement) {
    const ExpressionPointer expression = resolver_.resolve_relation(*statement.expression);
    const ExpressionPointer bound = resolver_.resolve_relation(*statement.bound);
    if (!expression || !bound || !require_evaluable(*statement.expression, *expression) ||
        !require_evaluable(*statement.bound, *bound))
      return;
    Rule rule{statement.bindings[0].name, statement.kind == StatementKind::warning, expression, bound, false, {}, {}};
    rule.conflict = is_conflict(*expression);
    if (bound->kind == ExpressionKind::view) rule.view = bound->number;
    rule.position = statement.position;
    model_.rules.push_back(std::move(rule));
  }

  void add_constraint(ConstraintKind kind, const std::string& word, const Statement& statement) {
    const ExpressionPointer expression = resolver_.resolve_relation(*statement.expression);
    if (!expression || !require_evaluable(*statement.expression, *expression)) return;
    std::string text =
        statement.expression->kind == SyntaxKind::name ? statement.expression->name : print_expression(*expression);
    model_.constraints.push_back({kind, expression, word + text, statement.position, expression->uses(feature_late)});
  }

  void add_claim(const Statement& statement, std::vector<Claim>& list) {
    const FormulaPointer formula = resolver_.resolve_formula(*statement.formula);
    if (formula) list.push_back({formula, print_formula(*formula), statement.position});
  }

  void add_disjoint(const Statement& statement) {
    Disjoint disjoint{{}, statement.position};
    for (const SyntaxPointer& member : statement.members) {
      const ExpressionPointer set = resolver_.resolve_set(*member);
      if (!set) return;
      disjoint.sets.push_back(set);
    }
    if (disjoint.sets.size() < 2) return report_(statement.position, "`disjoint` needs at least two sets");
    model_.disjoint.push_back(std::move(disjoint));
  }

  const ParsedFile& parsed_;
  ModelFile& model_;
  ProblemReporter report_;
  Scopes scopes_;
  Resolver resolver_;
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
  if (problems.size() > maximal_problems) problems.resize(maximal_problems);
  model.files = std::move(parsed.files);
  return model;
}

}  // namespace heddle::relation
