// Automata over steps between events. A word is a walk through the graph; a transition takes one step along a
// primitive relation and asks something of the labels at both ends. No empty transitions: tests [S] are merged into
// the steps next to them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "automata/guard.h"
#include "relation/expression.h"

namespace heddle::automata {

enum class StepKind : std::uint8_t {
  po_imm,
  po_loc,      // to any later event of the thread at the same location
  po_other,    // to any later event of the thread that is not at the same location
  rf,
  rfe,
  rfi,
  co_imm,
  coe,
  coi,
  fr_imm,
  fre,
  fri,
  rmw,
  tc,
  tj,
  loc,         // to any event at the same location, itself too
  view_first,  // to the first event of each thread (of its own: the next) whose view contains the source;
               // inverse: to the last event of each thread inside the source's view
  view_all,    // to every such event
  view_loc,    // to every such event at the same location
  view_other,  // to every such event not at the same location
};

struct Step {
  StepKind kind{};
  bool inverse = false;
  std::uint8_t view = 0;  // of view_*

  friend bool operator==(const Step&, const Step&) = default;
  friend auto operator<=>(const Step&, const Step&) = default;
};

struct Transition {
  std::uint32_t from = 0, to = 0;
  Step step;
  Guard source, target;

  friend bool operator==(const Transition&, const Transition&) = default;
  friend auto operator<=>(const Transition&, const Transition&) = default;
};

struct Nfa {
  std::uint32_t states = 0;
  std::uint32_t initial = 0;
  std::vector<bool> accepting;
  std::vector<Transition> transitions;
  Guards empty_word;  // events at which the empty walk is accepted

  bool empty() const { return transitions.empty() && empty_word.empty(); }
};

// What a step alone guarantees about its ends, whatever the model asks.
Guard source_of(Step step);
Guard target_of(Step step);

// Does a step of this kind, taken forwards, lead to an event that depends on the one it leaves?
bool is_causal(StepKind kind);

// Removes states that are not on a way from the initial to an accepting state. The initial state stays.
void trim(Nfa& nfa);

// The automaton of the inverse relation. Only for automata without view_first (it has no simple inverse).
// Accepting states must be one state.
Nfa reverse(const Nfa& nfa);

// One step of a concrete walk, for tests: the labels before and after it.
struct Letter {
  Step step;
  std::uint64_t before = 0, after = 0;
};
bool accepts(const Nfa& nfa, const std::vector<Letter>& word);

std::string print(Step step);
std::string print(const Nfa& nfa);

}  // namespace heddle::automata
