// Computes the views of an event from the views of its predecessors.
//
// A view is r+ for a relation r that contains program order, kept as a vector clock. Adding event e: start with the
// clock of its program-order predecessor, then walk the automaton of r+ backwards from (e, end); every event that is
// reached at the beginning of a word of r contributes its own clock. The set built so far is always closed under r+,
// so an event that is already in it contributes nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "automata/nfa.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

// The automaton of a view, seen from the end of its words.
struct BackwardTable {
  explicit BackwardTable(const automata::Nfa& circle);
  BackwardTable() = default;

  struct Row {
    automata::Guard source, target;  // of the transition: source is asked of the event that the step leads to
    automata::Step step;             // already inverted
    std::uint32_t from = 0;
  };

  std::uint32_t states = 0, initial = 0;
  bool created = false, joined = false;  // creation and joining are part of the view: no need to walk for them
  std::vector<std::uint32_t> first;  // rows by the state they enter
  std::vector<Row> rows;
  // By state: only program order leads here from the beginning, so events inside the view contribute nothing.
  std::vector<bool> only_program_order;
  // By state: an event with these labels, if inside the view, was once the end of the same word.
  std::vector<std::optional<automata::Guard>> also_end;
};

class Views {
 public:
  // `circles`: by view of the graph; that of view 0, the causal one, is ignored: it is built in.
  Views(graph::ExecutionGraph& graph, const std::vector<automata::Nfa>& circles);

  void update(graph::EventId e);

 private:
  using Row = BackwardTable::Row;
  void walk(const BackwardTable& table, unsigned view, graph::EventId e);

  graph::ExecutionGraph& graph_;
  std::vector<BackwardTable> tables_;
  std::vector<graph::Labels> ends_of_words_;  // by view: an event without any of these labels ends only program order
  std::uint32_t search_ = 0;
  std::vector<std::uint32_t> visited_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace heddle::consistency
