// Automata over guarded words: an edge takes one step out of a set of steps and asks for the label classes of the
// events at both of its ends. An edge with no steps stays at its event and only asks for its class.
#pragma once

#include <cstdint>
#include <vector>

#include "prover/label_classes.h"
#include "prover/letter.h"

namespace heddle::prover {

struct Edge {
  std::uint32_t to = 0;
  Steps steps = 0;
  Classes source = 0, target = 0;

  friend bool operator==(const Edge&, const Edge&) = default;
  friend auto operator<=>(const Edge&, const Edge&) = default;
};

struct Automaton {
  std::vector<std::vector<Edge>> edges;  // by the state they leave
  std::uint32_t initial = 0, final = 1;  // nothing enters the initial state, nothing leaves the final one
  Classes empty = 0;                     // events at which the empty word is accepted

  std::uint32_t states() const { return static_cast<std::uint32_t>(edges.size()); }
  std::uint32_t add_state() {
    edges.emplace_back();
    return states() - 1;
  }
};

inline constexpr std::size_t maximal_states = 4000;
inline constexpr std::size_t maximal_edges = 60000;

// Removes states that no word passes and merges states that accept the same by bisimulation.
void reduce(Automaton& automaton);

// Every step that the automaton can take.
Steps alphabet(const Automaton& automaton);

}  // namespace heddle::prover
