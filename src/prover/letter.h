// The alphabet of the prover. A letter is one step between two events along a relation that the theory does not split
// any further; a word of letters, with a label class at every event between them, is a path through some graph.
//
// The relations that are unions in every graph are written as unions of letters: po = po-loc | po\loc, rf = rfe | rfi,
// co = coe | coi, fr = fre | fri. What else holds between relations is in language.h.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace heddle::prover {

enum class Letter : std::uint8_t {
  po_loc,    // program order within one location
  po_other,  // the rest of program order
  po_imm,
  rfe,
  rfi,
  coe,
  coi,
  co_imm,
  fre,
  fri,
  fr_imm,
  rmw,
  tc,
  tj,
  loc,
  unrelated,  // nothing is known of its ends; in no relation of a model
};
inline constexpr unsigned letter_count = 16;
inline constexpr unsigned inverse_offset = 32;  // letter + 32: the same step, walked from its target to its source

// A step of a word: a letter and its direction, as one number below 64.
using StepCode = std::uint8_t;
using Steps = std::uint64_t;  // a set of steps

constexpr Steps steps(Letter letter) { return Steps{1} << static_cast<unsigned>(letter); }
template <class... More>
constexpr Steps steps(Letter first, More... more) {
  return steps(first) | steps(more...);
}
constexpr Steps inverse(Steps set) { return set << inverse_offset | set >> inverse_offset; }
constexpr bool is_inverse(StepCode step) { return step >= inverse_offset; }
constexpr Letter letter_of(StepCode step) { return static_cast<Letter>(step % inverse_offset); }
constexpr Steps single(StepCode step) { return Steps{1} << step; }

inline constexpr Steps forward_steps = (Steps{1} << letter_count) - 1;
inline constexpr Steps every_step = forward_steps | inverse(forward_steps);
inline constexpr Steps program_order = steps(Letter::po_loc, Letter::po_other, Letter::po_imm);
inline constexpr Steps reads_from = steps(Letter::rfe, Letter::rfi);
inline constexpr Steps coherence = steps(Letter::coe, Letter::coi);
inline constexpr Steps from_read = steps(Letter::fre, Letter::fri);

// Both ends at one location; at different ones; one cannot tell.
inline constexpr Steps at_one_location = [] {
  using enum Letter;
  const Steps forward = steps(po_loc, rfe, rfi, coe, coi, co_imm, fre, fri, fr_imm, rmw, loc);
  return forward | inverse(forward);
}();
inline constexpr Steps at_two_locations = steps(Letter::po_other) | inverse(steps(Letter::po_other));

// Both ends in one thread; in different ones (an initial write is in a thread of its own; no thread creates or joins
// itself).
inline constexpr Steps in_one_thread = [] {
  using enum Letter;
  const Steps forward = steps(po_loc, po_other, po_imm, rfi, coi, fri, rmw);
  return forward | inverse(forward);
}();
inline constexpr Steps in_two_threads = [] {
  const Steps forward = steps(Letter::rfe, Letter::coe, Letter::fre, Letter::tc, Letter::tj);
  return forward | inverse(forward);
}();

// Calls visit(step) for every step of the set.
template <class Visit>
void for_each_step(Steps set, Visit&& visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<StepCode>(std::countr_zero(set)));
}

// As in model files; the part of program order that changes the location is printed as plain `po`.
std::string print_step(StepCode step);

}  // namespace heddle::prover
