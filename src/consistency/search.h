// Searches of the product of an automaton and the graph, from one event (thesis §4.2.2 and §9.3).
//
// A graph that was consistent before event e was added can only have cycles through e. So for every state q the
// search starts at (e, q), walks all pairs (event, state) it can reach, and has found a cycle when it is back.
// Visited pairs carry the number of the search that visited them, so nothing is cleared; each pair also remembers
// where it was reached from, which gives the cycle. No allocation unless the graph has grown.
#pragma once

#include <cstdint>
#include <vector>

#include "automata/nfa.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

struct Row {
  automata::Guard source, target;
  automata::Step step;
  std::uint32_t to = 0;
};

// Transitions grouped by the state they leave: rows[first[s]] .. rows[first[s + 1]].
struct Table {
  Table() = default;
  explicit Table(const automata::Nfa& nfa);

  std::uint32_t states = 0;
  std::uint32_t initial = 0;
  std::vector<std::uint32_t> first;
  std::vector<Row> rows;
  std::vector<std::vector<automata::Guard>> entering;  // by state: the target guards of transitions into it
};

class Search {
 public:
  explicit Search(const graph::ExecutionGraph& graph) : graph_(graph) {}

  // A cycle through e in a circle all of whose cycles pass its initial state.
  bool finds_cycle(const Table& circle, graph::EventId e);
  // A cycle through e that passes the initial state; with `once` exactly once (then it is one word of the relation).
  bool finds_marked_cycle(const Table& circle, graph::EventId e, bool once);
  // A walk from (e, state) to any event in the state `goal`; true at once if `state` is the goal.
  bool reaches(const Table& table, graph::EventId e, std::uint32_t state, std::uint32_t goal);
  // Every event that a walk from (e, state) reaches in the state `goal`; e itself if `state` is the goal.
  void collect(const Table& table, graph::EventId e, std::uint32_t state, std::uint32_t goal,
               std::vector<graph::EventId>& events);

  // Events of the last cycle or walk that was found.
  const std::vector<graph::EventId>& found() const { return found_; }

 private:
  struct Visit {
    std::uint32_t search = 0;
    std::uint32_t from = 0;
  };

  void begin(const Table& table, unsigned copies);
  bool can_be_in(const Table& table, graph::Labels labels, std::uint32_t state) const;
  void record(std::uint32_t last, std::uint32_t start, std::uint32_t width);

  const graph::ExecutionGraph& graph_;
  std::uint32_t search_ = 0;
  std::vector<Visit> visited_;
  std::vector<std::uint32_t> stack_;
  std::vector<graph::EventId> found_;
};

}  // namespace heddle::consistency
