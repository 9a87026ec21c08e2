// Builds expression nodes and keeps their measures.
#include "relation/expression.h"

#include <algorithm>

namespace heddle::relation {

ExpressionPointer make_expression(ExpressionKind kind, std::vector<ExpressionPointer> parts) {
  auto node = std::make_shared<Expression>();
  node->kind = kind;
  node->size = parts.empty() ? 1 : 0;
  for (const ExpressionPointer& part : parts) {
    node->depth = std::max(node->depth, part->depth + 1);
    node->size = std::min<std::uint64_t>(node->size + part->size, std::uint64_t{1} << 40);
  }
  node->parts = std::move(parts);
  return node;
}

ExpressionPointer make_label(unsigned bit, std::string name) {
  auto node = std::make_shared<Expression>();
  node->kind = ExpressionKind::label;
  node->number = bit;
  node->name = std::move(name);
  return node;
}

ExpressionPointer make_primitive(Primitive primitive, std::string name) {
  auto node = std::make_shared<Expression>();
  node->kind = ExpressionKind::primitive;
  node->primitive = primitive;
  node->name = std::move(name);
  return node;
}

ExpressionPointer make_view(unsigned index, std::string name) {
  auto node = std::make_shared<Expression>();
  node->kind = ExpressionKind::view;
  node->number = index;
  node->name = std::move(name);
  return node;
}

}  // namespace heddle::relation
