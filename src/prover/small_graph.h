// A concrete execution graph of at most 64 events and a direct evaluation of relations on it. Serves to confirm
// counterexamples: what a word suggests is believed only if a graph shows it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "relation/model_file.h"

namespace heddle::prover {

struct SmallGraph {
  static constexpr int none = -1;

  struct Event {
    std::uint64_t labels = 0;
    int thread = none;     // none: an initial write
    int index = 0;         // position in its thread
    int location = none;
    int reads_from = none; // reads: an event
    int place = 0;         // writes: position in the coherence order of their location
    int partner = none;    // rmw, tc, tj: the event at the beginning of that step, on the event at its end
  };
  std::vector<Event> events;
};

// A relation between at most 64 events.
class Pairs {
 public:
  void add(std::size_t a, std::size_t b) { rows_[a] |= std::uint64_t{1} << b; }
  bool contains(std::size_t a, std::size_t b) const { return rows_[a] >> b & 1; }
  bool empty() const;
  bool irreflexive() const;
  Pairs then(const Pairs& next) const;
  Pairs closure() const;
  Pairs inverse() const;
  friend Pairs operator|(Pairs a, const Pairs& b);
  friend Pairs operator&(Pairs a, const Pairs& b);
  friend Pairs operator-(Pairs a, const Pairs& b);

 private:
  std::array<std::uint64_t, 64> rows_{};
};

// The relation must be without views. Throws TooLarge for operators that are unknown here.
Pairs evaluate(const relation::Expression& relation, const SmallGraph& graph);

bool holds(relation::ConstraintKind kind, const relation::Expression& relation, const SmallGraph& graph);

// What holds in every graph that is explored, whatever the model: causality is acyclic, updates are atomic.
bool well_formed(const SmallGraph& graph);

}  // namespace heddle::prover
