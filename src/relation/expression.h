// A typed expression of the model language: a set of events or a relation between events. One tagged, immutable node;
// nodes are shared, so an expression is a directed acyclic graph. `depth` and `size` are kept per node and limited by
// the type checker, hence recursion over an expression is always bounded.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace heddle::relation {

struct Expression;
using ExpressionPointer = std::shared_ptr<const Expression>;

// The relations that a graph provides.
enum class Primitive : std::uint8_t {
  po,
  po_imm,
  po_loc,
  rf,
  rfe,
  rfi,
  co,
  co_imm,
  coe,
  coi,
  fr,
  fr_imm,
  fre,
  fri,
  rmw,
  tc,
  tj,
  loc,
};

enum class ExpressionKind : std::uint8_t {
  // sets
  every_event,
  label,
  set_union,
  set_intersection,
  set_difference,
  // relations
  primitive,
  view,            // a saved transitive relation, without its reflexive pairs
  test,            // [S]: the identity on a set
  alternative,     // a | b | ...
  sequence,        // a ; b ; ...
  same_location,   // a & loc
  other_location,  // a \ loc
  optional,
  plus,
  star,
  inverse,
};

struct Expression {
  ExpressionKind kind{};
  Primitive primitive{};          // of `primitive`
  unsigned number = 0;            // `label`: bit number; `view`: index into ModelFile::views
  std::string name;               // `label`, `primitive`, `view`: as printed
  std::vector<ExpressionPointer> parts;
  unsigned depth = 1;             // of the tree
  std::uint64_t size = 1;         // leaves of the tree, saturating

  bool is_set() const { return kind <= ExpressionKind::set_difference; }
};

inline constexpr unsigned maximal_depth = 200;
inline constexpr std::uint64_t maximal_size = 1000;

ExpressionPointer make_expression(ExpressionKind kind, std::vector<ExpressionPointer> parts);
ExpressionPointer make_label(unsigned bit, std::string name);
ExpressionPointer make_primitive(Primitive primitive, std::string name);
ExpressionPointer make_view(unsigned index, std::string name);

}  // namespace heddle::relation
