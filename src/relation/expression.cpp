// Builds expression nodes and keeps their measures.
#include "relation/expression.h"

#include <algorithm>

namespace heddle::relation {
namespace {

std::uint8_t features_of(ExpressionKind kind) {
  switch (kind) {
    case ExpressionKind::domain:
    case ExpressionKind::range:
    case ExpressionKind::relation_intersection:
    case ExpressionKind::relation_difference:
    case ExpressionKind::product: return feature_late;
    case ExpressionKind::same_ends:
    case ExpressionKind::rotation:
    case ExpressionKind::deduplication:
    case ExpressionKind::totality: return feature_closure;
    case ExpressionKind::predicate:
    case ExpressionKind::uninterpreted: return feature_uninterpreted;
    case ExpressionKind::recursion: return feature_recursion;
    default: return 0;
  }
}

std::uint8_t features_of(Primitive primitive) {
  switch (primitive) {
    case Primitive::external: return feature_late;
    case Primitive::addr:
    case Primitive::data:
    case Primitive::ctrl: return feature_dependency;
    default: return 0;
  }
}

}  // namespace

ExpressionPointer make_expression(ExpressionKind kind, std::vector<ExpressionPointer> parts) {
  auto node = std::make_shared<Expression>();
  node->kind = kind;
  node->features = features_of(kind);
  node->size = parts.empty() ? 1 : 0;
  for (const ExpressionPointer& part : parts) {
    node->depth = std::max(node->depth, part->depth + 1);
    node->size = std::min<std::uint64_t>(node->size + part->size, std::uint64_t{1} << 40);
    node->features |= part->features;
  }
  node->parts = std::move(parts);
  return node;
}

ExpressionPointer make_named(ExpressionKind kind, unsigned index, std::string name) {
  auto node = std::make_shared<Expression>();
  node->kind = kind;
  node->features = features_of(kind);
  node->number = index;
  node->name = std::move(name);
  return node;
}

ExpressionPointer make_label(unsigned bit, std::string name) {
  return make_named(ExpressionKind::label, bit, std::move(name));
}

ExpressionPointer make_view(unsigned index, std::string name) {
  return make_named(ExpressionKind::view, index, std::move(name));
}

ExpressionPointer make_primitive(Primitive primitive, std::string name) {
  auto node = std::make_shared<Expression>();
  node->kind = ExpressionKind::primitive;
  node->features = features_of(primitive);
  node->primitive = primitive;
  node->name = std::move(name);
  return node;
}

ExpressionPointer make_identity() {
  return make_expression(ExpressionKind::test, {make_expression(ExpressionKind::every_event, {})});
}

ExpressionPointer make_zero() { return make_expression(ExpressionKind::alternative, {}); }

bool same_expression(const Expression& a, const Expression& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || a.primitive != b.primitive || a.number != b.number || a.size != b.size) return false;
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const ExpressionPointer& x, const ExpressionPointer& y) { return same_expression(*x, *y); });
}

}  // namespace heddle::relation
