// A condition on the labels of one event, as a conjunction: the labels in `mask` must be exactly `value`.
// A set of the model language becomes a list of guards, any of which suffices (disjunctive normal form).
#pragma once

#include <cstdint>
#include <vector>

#include "relation/expression.h"

namespace heddle::automata {

struct Guard {
  std::uint64_t mask = 0;
  std::uint64_t value = 0;

  bool holds(std::uint64_t labels) const { return (labels & mask) == value; }
  bool trivial() const { return mask == 0; }
  friend bool operator==(const Guard&, const Guard&) = default;
  friend auto operator<=>(const Guard&, const Guard&) = default;
};

using Guards = std::vector<Guard>;  // empty: never holds

// Adds what the vocabulary implies (an event has one kind; [UR] is a read, ...). False if no event can satisfy it.
bool normalize(Guard& guard);

// Every event that satisfies `strong` satisfies `weak`. Both normalised.
inline bool implies(const Guard& strong, const Guard& weak) {
  return (strong.mask & weak.mask) == weak.mask && (strong.value & weak.mask) == weak.value;
}

Guards conjunction(const Guards& left, const Guards& right);
Guards disjunction(Guards left, const Guards& right);
Guards complement(const Guards& guards);

// The guards of a set expression.
Guards guards_of(const relation::Expression& set);

}  // namespace heddle::automata
