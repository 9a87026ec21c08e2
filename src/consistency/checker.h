// Is the graph, which was consistent before its newest change, still allowed by the model? And is it erroneous?
// The model's automata are run over the graph from the changed event only (thesis ch. 4), as tables or, if there is a
// code generator, as compiled code.
//
// Protocol, for a new event e that is po-last in its thread:
//   1. e is linked (reads: source set; begin/join: partner set; writes: placed or not yet placed).
//   2. update_views(e) computes all views of e from its predecessors. Must be called again after e's source changes.
//   3. consistent(e) tells whether the model allows the graph, given that it allowed the graph without e
//      (and, for a read that was revisited by a write: call it for both).
// Causality cycles cannot arise: view 0 is acyclic by construction.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "consistency/model.h"
#include "consistency/native_code.h"
#include "consistency/native_runner.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

// Two events that a rule `error NAME unless ...` (or `warning`) of the model forbids to be unordered.
struct RuleViolation {
  const ErrorRule* rule = nullptr;
  graph::EventId first = graph::no_event;   // the older one
  graph::EventId second = graph::no_event;
};

class Checker {
 public:
  // `labels_in_program`: every combination of labels that an event of the program can have. Parts of the model that
  // no event can ever satisfy are dropped. Empty: nothing is known, drop nothing.
  // `use_cycle_filter`: answer most checks without running the automata (cycle_filter.h).
  // `native`: whether and when to run compiled code instead of tables. Answers are the same.
  Checker(const Model& model, graph::ExecutionGraph& graph, std::vector<graph::Labels> labels_in_program = {},
          bool use_cycle_filter = true, NativeOptions native = {});
  ~Checker();

  void update_views(graph::EventId e) {
    if (native_ != nullptr)
      native_->update_views(e);
    else
      update_views_by_tables(e);
  }

  // The writes that coherence lets the read r (no source yet, views not needed) read from, newest in coherence first.
  // Writes the model forbids for other reasons may be among them; consistent(r) decides.
  void coherent_sources(graph::EventId r, std::vector<graph::EventId>& sources);
  // The writes after which coherence (and read-modify-write atomicity) lets the write w (not placed) be placed, newest
  // first. The first is always the last write of the location. w's views must be up to date.
  void coherent_places(graph::EventId w, std::vector<graph::EventId>& predecessors);
  // For a read with a source whose place in coherence is fixed: is it coherent? (used after a revisit)
  bool coherent_source(graph::EventId r);

  // Everything else: acyclicity, irreflexivity and emptiness constraints.
  bool consistent(graph::EventId e) { return holds_always_ || decide(e); }

  // A race (or another rule of the model) between e and an older event. e's views must be up to date.
  std::optional<RuleViolation> erroneous(graph::EventId e);
  // False if no event of the program can break a rule.
  bool has_rules() const;

  // The view of the order that the model synchronises by: the one that `coherence` names, or the causal one.
  unsigned happens_before_view() const;
  // What of the model could be left out because of the labels that events of this program have, as sentences.
  const std::vector<std::string>& simplifications() const;

  // The cycle that the last `consistent` call found, which returned false. The graph must not have changed since.
  const std::vector<graph::EventId>& broken_cycle();

 private:
  void update_views_by_tables(graph::EventId e);
  bool decide(graph::EventId e);
  void ask_implementation();

  class Implementation;
  std::unique_ptr<Implementation> implementation_;
  // What the implementation says, for the way that is taken most often.
  NativeRunner* native_ = nullptr;  // once there is compiled code
  bool holds_always_ = false;  // nothing is left to decide for any event of the program
};

}  // namespace heddle::consistency
