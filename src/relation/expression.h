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
  internal,  // int: both events are of one thread, or they are the same event
  external,  // ext: the opposite
  addr,
  data,
  ctrl,
};

enum class ExpressionKind : std::uint8_t {
  // sets
  every_event,
  label,
  predicate,         // declared in the file, means whatever its assumptions say
  domain,            // dom(r)
  range,             // rng(r)
  set_union,         // of no parts: the empty set
  set_intersection,
  set_difference,
  // relations
  primitive,
  view,              // a saved transitive relation, without its reflexive pairs
  test,              // [S]: the identity on a set
  alternative,       // a | b | ...; of no parts: the empty relation
  sequence,          // a ; b ; ...
  same_location,     // a & loc
  other_location,    // a \ loc
  optional,
  plus,
  star,
  inverse,
  uninterpreted,     // declared in the file, means whatever its assumptions say
  relation_intersection,  // a & b where it is not a regular expression
  relation_difference,    // a \ b likewise
  product,                // S * T: all pairs
  same_ends,         // closure operators of the prover (thesis 3.5, 3.6)
  rotation,
  deduplication,
  totality,          // tot(r, e)
  recursion,         // a name of the `let rec` being defined; never leaves the type checker
};

// What some part of an expression uses.
enum Feature : std::uint8_t {
  feature_late = 1,           // can only be evaluated on a whole graph: no automaton
  feature_dependency = 2,     // addr, data, ctrl
  feature_uninterpreted = 4,  // a declared relation or predicate
  feature_closure = 8,        // sameEnds, rot, dedup, tot
  feature_recursion = 16,
};

struct Expression {
  ExpressionKind kind{};
  Primitive primitive{};          // of `primitive`
  unsigned number = 0;            // `label`: bit number; `view`, `predicate`, `uninterpreted`: index in ModelFile
  std::string name;               // of the leaves: as printed
  std::vector<ExpressionPointer> parts;
  unsigned depth = 1;             // of the tree
  std::uint64_t size = 1;         // leaves of the tree, saturating
  std::uint8_t features = 0;      // of the whole tree

  bool is_set() const { return kind <= ExpressionKind::set_difference; }
  bool uses(Feature feature) const { return (features & feature) != 0; }
  bool is_zero() const { return kind == ExpressionKind::alternative && parts.empty(); }
  bool is_identity() const { return kind == ExpressionKind::test && parts[0]->kind == ExpressionKind::every_event; }
};

inline constexpr unsigned maximal_depth = 200;
inline constexpr std::uint64_t maximal_size = 4000;

ExpressionPointer make_expression(ExpressionKind kind, std::vector<ExpressionPointer> parts);
ExpressionPointer make_label(unsigned bit, std::string name);
ExpressionPointer make_primitive(Primitive primitive, std::string name);
ExpressionPointer make_view(unsigned index, std::string name);
// `predicate`, `uninterpreted` or `recursion`.
ExpressionPointer make_named(ExpressionKind kind, unsigned index, std::string name);
ExpressionPointer make_identity();
ExpressionPointer make_zero();

// The same expression, part by part.
bool same_expression(const Expression& a, const Expression& b);

}  // namespace heddle::relation
