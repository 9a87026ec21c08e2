// See literal_model.h.
#include "consistency/literal_model.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::consistency {

using relation::Expression;
using relation::ExpressionKind;
using relation::ExpressionPointer;
using relation::Primitive;

LiteralModel::LiteralModel(const relation::ModelFile& file, const PlainGraph& graph) : file_(file), graph_(graph) {
  for (const relation::ViewDefinition& view : file.views) views_.push_back(relation(view.step).closure());
}

const BitMatrix& LiteralModel::relation(const ExpressionPointer& expression) {
  const auto known = relations_.find(expression.get());
  if (known != relations_.end()) return known->second;
  BitMatrix result = evaluate(*expression);  // which may add others
  return relations_.emplace(expression.get(), std::move(result)).first->second;
}

BitMatrix LiteralModel::evaluate(const Expression& e) {
  switch (e.kind) {
    case ExpressionKind::primitive: return primitive(e.primitive);
    case ExpressionKind::view: return views_[e.number] - identity();
    case ExpressionKind::test: {
      BitMatrix result(count());
      const Set& members = set(e.parts[0]);
      for (std::size_t i = 0; i < count(); ++i) {
        if (members[i]) result.set(i, i);
      }
      return result;
    }
    case ExpressionKind::alternative: {
      BitMatrix result(count());
      for (const auto& part : e.parts) result = result | relation(part);
      return result;
    }
    case ExpressionKind::sequence: return sequence(e);
    case ExpressionKind::same_location: return relation(e.parts[0]) & primitive(Primitive::loc);
    case ExpressionKind::other_location: return relation(e.parts[0]) - primitive(Primitive::loc);
    case ExpressionKind::optional: return relation(e.parts[0]) | identity();
    case ExpressionKind::plus: return relation(e.parts[0]).closure();
    case ExpressionKind::star: return relation(e.parts[0]).closure() | identity();
    case ExpressionKind::inverse: return relation(e.parts[0]).inverse();
    case ExpressionKind::relation_intersection: {
      const BitMatrix first = relation(e.parts[0]);
      return first & relation(e.parts[1]);
    }
    case ExpressionKind::relation_difference: {
      const BitMatrix first = relation(e.parts[0]);
      return first - relation(e.parts[1]);
    }
    case ExpressionKind::product: {
      const Set first = set(e.parts[0]);
      return product(first, set(e.parts[1]));
    }
    default: HEDDLE_CHECK(false, "an expression that has no meaning on a graph");
  }
  return BitMatrix(count());
}

// A test in a sequence keeps the pairs that end (or, as the first part, begin) in its set.
BitMatrix LiteralModel::sequence(const Expression& e) {
  BitMatrix result = identity();
  bool begun = false;
  for (const auto& part : e.parts) {
    if (part->kind == ExpressionKind::test) {
      result.keep_columns(set(part->parts[0]));
    } else if (!begun) {
      BitMatrix first = relation(part);
      std::vector<bool> begins(count());
      for (std::size_t i = 0; i < count(); ++i) begins[i] = result.get(i, i);
      first.keep_rows(begins);
      result = std::move(first);
    } else {
      result = result.then(relation(part));
    }
    begun = begun || part->kind != ExpressionKind::test;
  }
  return result;
}

const BitMatrix& LiteralModel::primitive(Primitive p) {
  const int key = static_cast<int>(p);
  const auto known = primitives_.find(key);
  if (known != primitives_.end()) return known->second;
  BitMatrix result = evaluate(p);
  return primitives_.emplace(key, std::move(result)).first->second;
}

BitMatrix LiteralModel::evaluate(Primitive p) {
  switch (p) {
    case Primitive::po: return primitive(Primitive::po_imm).closure();
    case Primitive::po_imm: return links(&PlainEvent::po_previous);
    case Primitive::po_loc: {
      const BitMatrix& po = primitive(Primitive::po);
      return po & primitive(Primitive::loc);
    }
    case Primitive::rf: return links(&PlainEvent::reads_from);
    case Primitive::rfe: return primitive(Primitive::rf) - same_thread();
    case Primitive::rfi: return primitive(Primitive::rf) & same_thread();
    case Primitive::co: return primitive(Primitive::co_imm).closure();
    case Primitive::co_imm: return links(&PlainEvent::co_previous);
    case Primitive::coe: return primitive(Primitive::co) - same_thread();
    case Primitive::coi: return primitive(Primitive::co) & same_thread();
    case Primitive::fr: return primitive(Primitive::rf).inverse().then(primitive(Primitive::co));
    case Primitive::fr_imm: return primitive(Primitive::rf).inverse().then(primitive(Primitive::co_imm));
    case Primitive::fre: return primitive(Primitive::fr) - same_thread();
    case Primitive::fri: return primitive(Primitive::fr) & same_thread();
    case Primitive::rmw: return links(&PlainEvent::rmw_read);
    case Primitive::tc: return links(&PlainEvent::created_by);
    case Primitive::tj: return links(&PlainEvent::joined);
    case Primitive::loc: {
      BitMatrix result(count());
      for (std::size_t a = 0; a < count(); ++a) {
        for (std::size_t b = 0; b < count(); ++b) {
          if (graph_[a].location != nowhere && graph_[a].location == graph_[b].location) result.set(a, b);
        }
      }
      return result;
    }
    // Initial writes are of no thread: two of them are not internal.
    case Primitive::internal: {
      BitMatrix result = identity();
      for (std::size_t a = 0; a < count(); ++a) {
        for (std::size_t b = 0; b < count(); ++b) {
          if (graph_[a].thread != nowhere && graph_[a].thread == graph_[b].thread) result.set(a, b);
        }
      }
      return result;
    }
    case Primitive::external: return product(Set(count(), true), Set(count(), true)) - primitive(Primitive::internal);
    case Primitive::addr:
    case Primitive::data:
    case Primitive::ctrl: break;
  }
  HEDDLE_CHECK(false, "dependencies are not tracked");
  return BitMatrix(count());
}

const LiteralModel::Set& LiteralModel::set(const ExpressionPointer& e) {
  const auto known = sets_.find(e.get());
  if (known != sets_.end()) return known->second;
  Set result = evaluate_set(*e);
  return sets_.emplace(e.get(), std::move(result)).first->second;
}

LiteralModel::Set LiteralModel::evaluate_set(const Expression& e) {
  Set result(count(), e.kind == ExpressionKind::every_event || e.kind == ExpressionKind::set_intersection);
  switch (e.kind) {
    case ExpressionKind::every_event: break;
    case ExpressionKind::label:
      for (std::size_t i = 0; i < count(); ++i) result[i] = (graph_[i].labels >> e.number & 1) != 0;
      break;
    case ExpressionKind::set_union:
      for (const auto& part : e.parts) {
        const Set& other = set(part);
        for (std::size_t i = 0; i < count(); ++i) result[i] = result[i] || other[i];
      }
      break;
    case ExpressionKind::set_intersection:
      for (const auto& part : e.parts) {
        const Set& other = set(part);
        for (std::size_t i = 0; i < count(); ++i) result[i] = result[i] && other[i];
      }
      break;
    case ExpressionKind::set_difference: {
      const Set first = set(e.parts[0]);
      const Set& second = set(e.parts[1]);
      for (std::size_t i = 0; i < count(); ++i) result[i] = first[i] && !second[i];
      break;
    }
    case ExpressionKind::domain:
    case ExpressionKind::range: {
      const BitMatrix& inner = relation(e.parts[0]);
      for (std::size_t a = 0; a < count(); ++a) {
        for (std::size_t b = 0; b < count(); ++b) {
          if (inner.get(a, b)) result[e.kind == ExpressionKind::domain ? a : b] = true;
        }
      }
      break;
    }
    default: HEDDLE_CHECK(false, "a set that has no meaning on a graph");
  }
  return result;
}

BitMatrix LiteralModel::product(const Set& first, const Set& second) const {
  BitMatrix result(count());
  for (std::size_t a = 0; a < count(); ++a) {
    for (std::size_t b = 0; first[a] && b < count(); ++b) {
      if (second[b]) result.set(a, b);
    }
  }
  return result;
}

// Initial writes count as one more thread.
BitMatrix LiteralModel::same_thread() const {
  BitMatrix result(count());
  for (std::size_t a = 0; a < count(); ++a) {
    for (std::size_t b = 0; b < count(); ++b) {
      if (graph_[a].thread == graph_[b].thread) result.set(a, b);
    }
  }
  return result;
}

BitMatrix LiteralModel::links(std::uint32_t PlainEvent::* from) const {
  BitMatrix result(count());
  for (std::size_t i = 0; i < count(); ++i) {
    if (graph_[i].*from != nowhere) result.set(graph_[i].*from, i);
  }
  return result;
}

BitMatrix LiteralModel::causal_order() {
  return (primitive(Primitive::po_imm) | primitive(Primitive::rf) | primitive(Primitive::tc) | primitive(Primitive::tj))
      .closure();
}

BitMatrix LiteralModel::synchronises() {
  if (!file_.rules.empty()) return relation(file_.rules[0].bound);
  return file_.coherence ? view(*file_.coherence) : causal_order();
}

bool LiteralModel::holds(const relation::Constraint& constraint) {
  const BitMatrix& meant = relation(constraint.expression);
  switch (constraint.kind) {
    case relation::ConstraintKind::acyclic: return meant.acyclic();
    case relation::ConstraintKind::irreflexive: return meant.irreflexive();
    case relation::ConstraintKind::empty: return meant.empty();
  }
  return false;
}

bool LiteralModel::allows(std::string* broken_rule) {
  const auto broken = [&](const std::string& rule) {
    if (broken_rule != nullptr) *broken_rule = rule;
    return false;
  };
  if (!causal_order().irreflexive()) return broken("causal order");
  // No pair of rmw is in fr ; co: nothing comes between what an update read and what it wrote.
  const BitMatrix overtakers = primitive(Primitive::rmw).inverse().then(primitive(Primitive::fr));
  if (!(overtakers & primitive(Primitive::co).inverse()).empty()) return broken("atomicity");
  if (file_.coherence) {
    const BitMatrix communication = primitive(Primitive::rf) | primitive(Primitive::co) | primitive(Primitive::fr);
    // irreflexive(view ; (rf | co | fr)*): no pair of the one is, turned round, one of the other.
    const BitMatrix back = (communication.closure() | identity()).inverse();
    if (!(view(*file_.coherence) & back).empty()) return broken("coherence " + file_.views[*file_.coherence].name);
  }
  for (const relation::Constraint& constraint : file_.constraints) {
    if (!holds(constraint)) return broken(constraint.text);
  }
  return true;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> LiteralModel::broken_pairs(const relation::Rule& rule) {
  BitMatrix pairs = relation(rule.expression);
  BitMatrix bound = relation(rule.bound);
  if (rule.conflict) {
    pairs = (pairs | pairs.inverse()) - primitive(Primitive::internal);
    bound = bound | bound.inverse();
  }
  const BitMatrix broken = pairs - bound - identity();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
  for (std::uint32_t a = 0; a < count(); ++a) {
    for (std::uint32_t b = a + 1; b < count(); ++b) {
      if (graph_[a].thread == nowhere || graph_[b].thread == nowhere) continue;
      if (broken.get(a, b) || broken.get(b, a)) found.emplace_back(a, b);
    }
  }
  return found;
}

}  // namespace heddle::consistency
