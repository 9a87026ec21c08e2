// See filter.h. Tested in type_check_test.cpp and, against the naive evaluator, in
// consistency/random_graphs_test.cpp.
#include "relation/filter.h"

#include <optional>
#include <utility>

namespace heddle::relation {
namespace {

using enum Primitive;

enum class Filter { location, internal, identity };

struct Keep {
  Filter filter;
  bool positive;  // keep the pairs that are in the filter, or those that are not
};

// What happens to the pairs of a relation: all stay, none does, or it takes another relation or a filter.
enum class Fate { all, none, unknown };

// Is `b` a filter? `ext` is the opposite of `int`.
std::optional<Keep> filter_of(const Expression& b, bool positive) {
  if (b.is_identity()) return Keep{Filter::identity, positive};
  if (b.kind != ExpressionKind::primitive) return std::nullopt;
  switch (b.primitive) {
    case loc: return Keep{Filter::location, positive};
    case Primitive::internal: return Keep{Filter::internal, positive};
    case external: return Keep{Filter::internal, !positive};
    default: return std::nullopt;
  }
}

Fate fate_if(bool inside, bool positive) { return inside == positive ? Fate::all : Fate::none; }

Fate fate_of_primitive(Primitive primitive, Keep keep) {
  const bool at_location = (primitive >= rf && primitive <= rmw) || primitive == po_loc || primitive == loc;
  switch (keep.filter) {
    case Filter::location: return at_location ? fate_if(true, keep.positive) : Fate::unknown;
    case Filter::identity:
      if (primitive == loc || primitive == Primitive::internal) return Fate::unknown;
      return fate_if(false, keep.positive);
    case Filter::internal: break;
  }
  switch (primitive) {
    case po:
    case po_imm:
    case po_loc:
    case rfi:
    case coi:
    case fri:
    case rmw:
    case addr:
    case data:
    case ctrl:
    case Primitive::internal: return fate_if(true, keep.positive);
    case rfe:
    case coe:
    case fre:
    case tc:
    case tj:
    case external: return fate_if(false, keep.positive);
    default: return Fate::unknown;
  }
}

ExpressionPointer half_of(Primitive primitive, bool within) {
  switch (primitive) {
    case rf: return within ? make_primitive(rfi, "rfi") : make_primitive(rfe, "rfe");
    case co: return within ? make_primitive(coi, "coi") : make_primitive(coe, "coe");
    case fr: return within ? make_primitive(fri, "fri") : make_primitive(fre, "fre");
    default: return nullptr;
  }
}

ExpressionPointer wrapped(ExpressionKind kind, const ExpressionPointer& part) { return make_expression(kind, {part}); }

// The filtered relation as a regular expression; null if there is none that is known here.
ExpressionPointer kept(const ExpressionPointer& e, Keep keep) {
  const auto decide = [&](Fate fate) -> ExpressionPointer {
    return fate == Fate::all ? e : fate == Fate::none ? make_zero() : nullptr;
  };
  switch (e->kind) {
    case ExpressionKind::alternative: {
      std::vector<ExpressionPointer> parts;
      for (const ExpressionPointer& part : e->parts) {
        ExpressionPointer next = kept(part, keep);
        if (!next) return nullptr;
        if (!next->is_zero()) parts.push_back(std::move(next));
      }
      return parts.size() == 1 ? parts[0] : make_expression(ExpressionKind::alternative, std::move(parts));
    }
    case ExpressionKind::inverse: {  // every filter is symmetric
      const ExpressionPointer inner = kept(e->parts[0], keep);
      return !inner || inner->is_zero() ? inner : wrapped(ExpressionKind::inverse, inner);
    }
    case ExpressionKind::test: return keep.filter == Filter::location ? nullptr : decide(fate_if(true, keep.positive));
    case ExpressionKind::same_location:
    case ExpressionKind::other_location:
      if (keep.filter != Filter::location) return nullptr;
      return decide(fate_if(e->kind == ExpressionKind::same_location, keep.positive));
    case ExpressionKind::view:
      if (keep.filter == Filter::identity) return decide(fate_if(false, keep.positive));
      if (keep.filter == Filter::internal) return keep.positive ? make_primitive(po, "po") : nullptr;
      return wrapped(keep.positive ? ExpressionKind::same_location : ExpressionKind::other_location, e);
    case ExpressionKind::primitive: {
      if (keep.filter == Filter::internal) {
        if (ExpressionPointer half = half_of(e->primitive, keep.positive)) return half;
      }
      if (keep.filter == Filter::location && e->primitive == po)
        return wrapped(keep.positive ? ExpressionKind::same_location : ExpressionKind::other_location, e);
      return decide(fate_of_primitive(e->primitive, keep));
    }
    default: return nullptr;
  }
}

ExpressionPointer test_of(const ExpressionPointer& set) { return wrapped(ExpressionKind::test, set); }

ExpressionPointer test_of_complement(const ExpressionPointer& set) {
  return test_of(
      make_expression(ExpressionKind::set_difference, {make_expression(ExpressionKind::every_event, {}), set}));
}

}  // namespace

ExpressionPointer make_intersection(ExpressionPointer a, ExpressionPointer b) {
  if (filter_of(*a, true) || a->kind == ExpressionKind::product) std::swap(a, b);
  if (a->is_zero() || b->is_zero()) return make_zero();
  if (b->kind == ExpressionKind::product && a->kind != ExpressionKind::product)
    return make_expression(ExpressionKind::sequence, {test_of(b->parts[0]), a, test_of(b->parts[1])});
  if (const std::optional<Keep> keep = filter_of(*b, true)) {
    if (ExpressionPointer result = kept(a, *keep)) return result;
  }
  return make_expression(ExpressionKind::relation_intersection, {std::move(a), std::move(b)});
}

ExpressionPointer make_difference(ExpressionPointer a, ExpressionPointer b) {
  if (a->is_zero() || b->is_zero()) return a;
  if (b->kind == ExpressionKind::product) {
    return make_expression(ExpressionKind::alternative,
                           {make_expression(ExpressionKind::sequence, {test_of_complement(b->parts[0]), a}),
                            make_expression(ExpressionKind::sequence, {a, test_of_complement(b->parts[1])})});
  }
  if (const std::optional<Keep> keep = filter_of(*b, false)) {
    if (ExpressionPointer result = kept(a, *keep)) return result;
  }
  return make_expression(ExpressionKind::relation_difference, {std::move(a), std::move(b)});
}

}  // namespace heddle::relation
