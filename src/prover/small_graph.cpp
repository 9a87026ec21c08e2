// See small_graph.h. Tested against the evaluator of the checker in random_graphs_test.cpp.
#include "prover/small_graph.h"

#include "base/check.h"
#include "prover/label_classes.h"
#include "relation/vocabulary.h"

namespace heddle::prover {
namespace {

using relation::Expression;
using relation::ExpressionKind;
using relation::Primitive;

template <class Condition>
Pairs pairs_where(const SmallGraph& graph, Condition&& condition) {
  Pairs result;
  for (std::size_t a = 0; a < graph.events.size(); ++a) {
    for (std::size_t b = 0; b < graph.events.size(); ++b) {
      if (condition(graph.events[a], graph.events[b], a, b)) result.add(a, b);
    }
  }
  return result;
}

using Event = SmallGraph::Event;

bool same_thread(const Event& a, const Event& b) { return a.thread == b.thread; }
bool same_location(const Event& a, const Event& b) {
  return a.location != SmallGraph::none && a.location == b.location;
}

Pairs po(const SmallGraph& graph, bool immediate) {
  return pairs_where(graph, [&](const Event& a, const Event& b, auto, auto) {
    if (a.thread == SmallGraph::none || !same_thread(a, b)) return false;
    return immediate ? a.index + 1 == b.index : a.index < b.index;
  });
}

Pairs co(const SmallGraph& graph, bool immediate) {
  return pairs_where(graph, [&](const Event& a, const Event& b, auto, auto) {
    if (!(a.labels & bit("W")) || !(b.labels & bit("W")) || !same_location(a, b)) return false;
    return immediate ? a.place + 1 == b.place : a.place < b.place;
  });
}

Pairs rf(const SmallGraph& graph) {
  return pairs_where(graph, [](const Event&, const Event& b, std::size_t a, auto) {
    return (b.labels & bit("R")) && b.reads_from == static_cast<int>(a);
  });
}

Pairs partners(const SmallGraph& graph, std::string_view label) {
  return pairs_where(graph, [&](const Event&, const Event& b, std::size_t a, auto) {
    return (b.labels & bit(label)) && b.partner == static_cast<int>(a);
  });
}

Pairs location(const SmallGraph& graph) {
  return pairs_where(graph, [](const Event& a, const Event& b, auto, auto) { return same_location(a, b); });
}

Pairs internal(const SmallGraph& graph) {
  return pairs_where(graph, [](const Event& a, const Event& b, auto, auto) { return same_thread(a, b); });
}

Pairs identity(const SmallGraph& graph) {
  return pairs_where(graph, [](const Event&, const Event&, std::size_t a, std::size_t b) { return a == b; });
}

Pairs fr(const SmallGraph& graph) { return rf(graph).inverse().then(co(graph, false)); }

Pairs primitive(Primitive p, const SmallGraph& graph) {
  switch (p) {
    case Primitive::po: return po(graph, false);
    case Primitive::po_imm: return po(graph, true);
    case Primitive::po_loc: return po(graph, false) & location(graph);
    case Primitive::rf: return rf(graph);
    case Primitive::rfe: return rf(graph) - internal(graph);
    case Primitive::rfi: return rf(graph) & internal(graph);
    case Primitive::co: return co(graph, false);
    case Primitive::co_imm: return co(graph, true);
    case Primitive::coe: return co(graph, false) - internal(graph);
    case Primitive::coi: return co(graph, false) & internal(graph);
    case Primitive::fr: return fr(graph);
    case Primitive::fr_imm: return rf(graph).inverse().then(co(graph, true));
    case Primitive::fre: return fr(graph) - internal(graph);
    case Primitive::fri: return fr(graph) & internal(graph);
    case Primitive::rmw: return partners(graph, "UW");
    case Primitive::tc: return partners(graph, "TB");
    case Primitive::tj: return partners(graph, "TJ");
    case Primitive::loc: return location(graph);
    case Primitive::internal: return internal(graph) | identity(graph);
    case Primitive::external:
    case Primitive::addr:
    case Primitive::data:
    case Primitive::ctrl: break;  // no answer
  }
  throw TooLarge{};
}

}  // namespace

bool Pairs::empty() const {
  for (std::uint64_t row : rows_) {
    if (row != 0) return false;
  }
  return true;
}

bool Pairs::irreflexive() const {
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    if (contains(a, a)) return false;
  }
  return true;
}

Pairs Pairs::then(const Pairs& next) const {
  Pairs result;
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    for (std::uint64_t rest = rows_[a]; rest != 0; rest &= rest - 1)
      result.rows_[a] |= next.rows_[std::countr_zero(rest)];
  }
  return result;
}

Pairs Pairs::closure() const {
  Pairs result = *this;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    if (result.rows_[k] == 0) continue;
    for (std::size_t a = 0; a < rows_.size(); ++a) {
      if (result.contains(a, k)) result.rows_[a] |= result.rows_[k];
    }
  }
  return result;
}

Pairs Pairs::inverse() const {
  Pairs result;
  for (std::size_t a = 0; a < rows_.size(); ++a) {
    for (std::uint64_t rest = rows_[a]; rest != 0; rest &= rest - 1)
      result.add(static_cast<std::size_t>(std::countr_zero(rest)), a);
  }
  return result;
}

Pairs operator|(Pairs a, const Pairs& b) {
  for (std::size_t i = 0; i < a.rows_.size(); ++i) a.rows_[i] |= b.rows_[i];
  return a;
}
Pairs operator&(Pairs a, const Pairs& b) {
  for (std::size_t i = 0; i < a.rows_.size(); ++i) a.rows_[i] &= b.rows_[i];
  return a;
}
Pairs operator-(Pairs a, const Pairs& b) {
  for (std::size_t i = 0; i < a.rows_.size(); ++i) a.rows_[i] &= ~b.rows_[i];
  return a;
}

Pairs evaluate(const Expression& e, const SmallGraph& graph) {
  HEDDLE_CHECK(graph.events.size() <= 64, "a small graph has at most 64 events");
  switch (e.kind) {
    case ExpressionKind::primitive: return primitive(e.primitive, graph);
    case ExpressionKind::test:
      return pairs_where(graph, [&](const Event& a, const Event&, std::size_t i, std::size_t j) {
        return i == j && in_set(*e.parts[0], a.labels);
      });
    case ExpressionKind::alternative: {
      Pairs result;
      for (const auto& part : e.parts) result = result | evaluate(*part, graph);
      return result;
    }
    case ExpressionKind::sequence: {
      Pairs result = identity(graph);
      for (const auto& part : e.parts) result = result.then(evaluate(*part, graph));
      return result;
    }
    case ExpressionKind::same_location: return evaluate(*e.parts[0], graph) & location(graph);
    case ExpressionKind::other_location: return evaluate(*e.parts[0], graph) - location(graph);
    case ExpressionKind::optional: return evaluate(*e.parts[0], graph) | identity(graph);
    case ExpressionKind::plus: return evaluate(*e.parts[0], graph).closure();
    case ExpressionKind::star: return evaluate(*e.parts[0], graph).closure() | identity(graph);
    case ExpressionKind::inverse: return evaluate(*e.parts[0], graph).inverse();
    case ExpressionKind::relation_intersection: return evaluate(*e.parts[0], graph) & evaluate(*e.parts[1], graph);
    case ExpressionKind::relation_difference: return evaluate(*e.parts[0], graph) - evaluate(*e.parts[1], graph);
    default: throw TooLarge{};
  }
}

bool holds(relation::ConstraintKind kind, const Expression& relation, const SmallGraph& graph) {
  const Pairs pairs = evaluate(relation, graph);
  switch (kind) {
    case relation::ConstraintKind::acyclic: return pairs.closure().irreflexive();
    case relation::ConstraintKind::irreflexive: return pairs.irreflexive();
    case relation::ConstraintKind::empty: return pairs.empty();
  }
  return false;
}

bool well_formed(const SmallGraph& graph) {
  const Pairs causal = po(graph, false) | rf(graph) | partners(graph, "TB") | partners(graph, "TJ");
  if (!causal.closure().irreflexive()) return false;
  return (partners(graph, "UW") & fr(graph).then(co(graph, false))).empty();
}

}  // namespace heddle::prover
