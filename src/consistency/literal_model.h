// A model's text, evaluated literally on a plain graph: every relation is a bit matrix over the events and every
// expression of the file is computed by its definition. No automata, no views kept in a graph, no order of events.
// Shares only the parsed expressions with the checker, so each can catch the other's mistakes.
//
// Conventions, the same as the checker's: initial writes are in rf, co, fr and loc, never in po or views; a view does
// not relate an event to itself when it is used as a relation. What a rule asks is told at relation::Rule; it never
// speaks of initial writes nor of an event and itself.
// Tested through check_full.h in checker_test.cpp.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "consistency/bit_matrix.h"
#include "consistency/plain_graph.h"
#include "relation/model_file.h"

namespace heddle::consistency {

class LiteralModel {
 public:
  // Both must outlive it.
  LiteralModel(const relation::ModelFile& file, const PlainGraph& graph);

  // Does the model allow the graph? Late constraints count. If not, `broken_rule` (may be null) says what forbids it.
  bool allows(std::string* broken_rule);
  bool holds(const relation::Constraint& constraint);

  // Every pair of events that the rule forbids to be unordered; of a pair, the one with the smaller number comes first.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> broken_pairs(const relation::Rule& rule);

  const BitMatrix& view(std::size_t index) const { return views_[index]; }
  const BitMatrix& relation(const relation::ExpressionPointer& expression);
  BitMatrix causal_order();
  // The order that the model's first rule asks for; without rules: that of `coherence`, or the causal one.
  BitMatrix synchronises();

 private:
  using Set = std::vector<bool>;

  BitMatrix evaluate(const relation::Expression& e);
  BitMatrix sequence(const relation::Expression& e);
  BitMatrix evaluate(relation::Primitive primitive);
  const BitMatrix& primitive(relation::Primitive primitive);
  const Set& set(const relation::ExpressionPointer& e);
  Set evaluate_set(const relation::Expression& e);
  BitMatrix product(const Set& first, const Set& second) const;
  BitMatrix identity() const { return BitMatrix::identity(count()); }
  BitMatrix same_thread() const;
  BitMatrix links(std::uint32_t PlainEvent::* from) const;
  std::size_t count() const { return graph_.size(); }

  const relation::ModelFile& file_;
  const PlainGraph& graph_;
  std::vector<BitMatrix> views_;
  // Expressions are shared inside a file; each is computed once.
  std::unordered_map<const relation::Expression*, BitMatrix> relations_;
  std::unordered_map<const relation::Expression*, Set> sets_;
  std::unordered_map<int, BitMatrix> primitives_;
};

}  // namespace heddle::consistency
