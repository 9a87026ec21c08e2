// See resolve.h. A mistake inside an expression gives one diagnostic and a null expression; everything that uses it
// stays silent, so that one mistake gives one message. Tested in type_check_test.cpp.
#include "relation/resolve.h"

#include "relation/filter.h"
#include "relation/print_expression.h"
#include "relation/vocabulary.h"

namespace heddle::relation {
namespace {

constexpr const char* use_brackets = "write `[S]` to use a set as a relation";

// The expression in a message: short, or not at all.
std::string shown(const Expression& e) {
  if (e.size > 20) return "a long expression";
  const std::string text = print_expression(e);
  return text.size() > 60 ? "a long expression" : "`" + text + "`";
}

std::string spelling_of(SyntaxKind kind) {
  switch (kind) {
    case SyntaxKind::alternative: return "`|`";
    case SyntaxKind::sequence: return "`;`";
    case SyntaxKind::intersection: return "`&`";
    case SyntaxKind::difference: return "`\\`";
    case SyntaxKind::product: return "`*` between two sets";
    case SyntaxKind::complement: return "`~`";
    case SyntaxKind::optional: return "`?`";
    case SyntaxKind::plus: return "`+`";
    case SyntaxKind::star: return "`*`";
    case SyntaxKind::inverse: return "`^-1`";
    default: return "`[...]`";
  }
}

}  // namespace

ExpressionPointer Resolver::resolve_relation(const Syntax& syntax) {
  ExpressionPointer result = resolve(syntax);
  if (!result || !result->is_set()) return result;
  report_(syntax.position, "expected a relation, found a set of events: " + shown(*result),
          "write `[S]` for its identity");
  return nullptr;
}

ExpressionPointer Resolver::resolve_set(const Syntax& syntax) {
  ExpressionPointer result = resolve(syntax);
  if (!result || result->is_set()) return result;
  if (result->is_zero()) return make_expression(ExpressionKind::set_union, {});
  report_(syntax.position, "expected a set of events, found a relation: " + shown(*result));
  return nullptr;
}

FormulaPointer Resolver::resolve_formula(const FormulaSyntax& syntax) {
  auto formula = std::make_shared<Formula>();
  formula->kind = syntax.kind;
  formula->position = syntax.position;
  bool good = true;
  for (const FormulaSyntaxPointer& part : syntax.parts) {
    formula->parts.push_back(resolve_formula(*part));
    good = good && formula->parts.back();
  }
  if (syntax.left && !syntax.right) {
    formula->left = syntax.kind == FormulaKind::empty ? resolve(*syntax.left) : resolve_relation(*syntax.left);
    good = good && formula->left;
  } else if (syntax.left) {
    std::vector<ExpressionPointer> sides{resolve(*syntax.left), resolve(*syntax.right)};
    good = good && sides[0] && sides[1] && require_one_type(syntax.position, sides);
    if (good) formula->left = sides[0], formula->right = sides[1];
  }
  return good ? formula : nullptr;
}

ExpressionPointer Resolver::resolve(const Syntax& syntax) {
  if (syntax.kind == SyntaxKind::name) return resolve_name(syntax);
  if (syntax.kind == SyntaxKind::zero) return make_zero();
  std::vector<ExpressionPointer> parts;
  bool failed = false;
  for (const SyntaxPointer& part : syntax.parts) {
    parts.push_back(resolve(*part));
    if (!parts.back()) failed = true;
  }
  if (failed) return nullptr;
  ExpressionPointer result = combine(syntax, std::move(parts));
  if (result && result->depth > maximal_depth) {
    report_(syntax.position, "this expression is nested too deeply once its names are expanded");
    return nullptr;
  }
  if (result && result->size > maximal_size) {
    report_(syntax.position, "this expression is too large once its names are expanded",
            "it has more than " + std::to_string(maximal_size) + " names; a `view` counts as one");
    return nullptr;
  }
  return result;
}

ExpressionPointer Resolver::resolve_name(const Syntax& syntax) {
  if (const auto found = recursive_.find(syntax.name); found != recursive_.end()) return found->second;
  Scopes::Lookup lookup = scopes_.find(syntax.position.file, syntax.name);
  switch (lookup.outcome) {
    case Scopes::Outcome::found: return lookup.expression;
    case Scopes::Outcome::broken: return nullptr;
    case Scopes::Outcome::ambiguous:
      report_(syntax.position, "the name `" + syntax.name + "` is ambiguous", lookup.hint);
      return nullptr;
    case Scopes::Outcome::unknown: break;
  }
  if (find_function(syntax.name))
    report_(syntax.position, "`" + syntax.name + "` is a function", "write `" + syntax.name + "(...)`");
  else
    report_(syntax.position, "unknown name `" + syntax.name + "`", lookup.hint);
  return nullptr;
}

// `0` is a set among sets.
bool Resolver::require_one_type(Position position, std::vector<ExpressionPointer>& parts) {
  const Expression *set = nullptr, *relation = nullptr;
  for (const ExpressionPointer& part : parts) {
    if (part->is_set())
      set = part.get();
    else if (!part->is_zero())
      relation = part.get();
  }
  if (!set) return true;
  if (relation) {
    report_(position,
            "this mixes a set of events with a relation: " + shown(*set) + " is a set, " + shown(*relation) +
                " is a relation",
            use_brackets);
    return false;
  }
  for (ExpressionPointer& part : parts) {
    if (!part->is_set()) part = make_expression(ExpressionKind::set_union, {});
  }
  return true;
}

bool Resolver::require_sets(const Syntax& syntax, std::vector<ExpressionPointer>& parts) {
  for (ExpressionPointer& part : parts) {
    if (part->is_zero()) part = make_expression(ExpressionKind::set_union, {});
    if (part->is_set()) continue;
    report_(syntax.position, spelling_of(syntax.kind) + " needs a set of events, found a relation: " + shown(*part));
    return false;
  }
  return true;
}

bool Resolver::require_relations(const Syntax& syntax, const std::vector<ExpressionPointer>& parts) {
  for (const ExpressionPointer& part : parts) {
    if (!part->is_set()) continue;
    report_(syntax.position, "`" + syntax.name + "` works on relations, found a set of events: " + shown(*part),
            use_brackets);
    return false;
  }
  return true;
}

ExpressionPointer Resolver::combine(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
  switch (syntax.kind) {
    case SyntaxKind::call:
      if (!require_relations(syntax, parts)) return nullptr;
      return make_expression(find_function(syntax.name)->kind, std::move(parts));
    case SyntaxKind::test:
      return require_sets(syntax, parts) ? make_expression(ExpressionKind::test, std::move(parts)) : nullptr;
    case SyntaxKind::product:
      return require_sets(syntax, parts) ? make_expression(ExpressionKind::product, std::move(parts)) : nullptr;
    case SyntaxKind::complement:
      if (!require_sets(syntax, parts)) return nullptr;
      parts.insert(parts.begin(), make_expression(ExpressionKind::every_event, {}));
      return make_expression(ExpressionKind::set_difference, std::move(parts));
    default: break;
  }
  if (!require_one_type(syntax.position, parts)) return nullptr;
  return parts[0]->is_set() ? combine_sets(syntax, std::move(parts)) : combine_relations(syntax, std::move(parts));
}

ExpressionPointer Resolver::combine_sets(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
  switch (syntax.kind) {
    case SyntaxKind::alternative: return make_expression(ExpressionKind::set_union, std::move(parts));
    case SyntaxKind::sequence:  // [S] ; [T] is [S & T], so [S ; T] may be written too
    case SyntaxKind::intersection: return make_expression(ExpressionKind::set_intersection, std::move(parts));
    case SyntaxKind::difference: return make_expression(ExpressionKind::set_difference, std::move(parts));
    default: break;
  }
  report_(syntax.position, spelling_of(syntax.kind) + " works on relations, found a set of events: " + shown(*parts[0]),
          use_brackets);
  return nullptr;
}

ExpressionPointer Resolver::combine_relations(const Syntax& syntax, std::vector<ExpressionPointer> parts) {
  switch (syntax.kind) {
    case SyntaxKind::alternative: return make_expression(ExpressionKind::alternative, std::move(parts));
    case SyntaxKind::sequence: return make_expression(ExpressionKind::sequence, std::move(parts));
    case SyntaxKind::optional: return make_expression(ExpressionKind::optional, std::move(parts));
    case SyntaxKind::plus: return make_expression(ExpressionKind::plus, std::move(parts));
    case SyntaxKind::star: return make_expression(ExpressionKind::star, std::move(parts));
    case SyntaxKind::inverse: return make_expression(ExpressionKind::inverse, std::move(parts));
    case SyntaxKind::difference: return make_difference(parts[0], parts[1]);
    default: break;
  }
  ExpressionPointer result = parts[0];
  // Too deep is enough: the caller reports it.
  for (std::size_t i = 1; i < parts.size() && result->depth <= maximal_depth; ++i)
    result = make_intersection(result, parts[i]);
  return result;
}

}  // namespace heddle::relation
