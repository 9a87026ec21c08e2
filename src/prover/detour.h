// The steps around an event that was added in the newest way, and what is known about its neighbours without it.
#pragma once

#include "prover/letter.h"

namespace heddle::prover {

inline constexpr Steps location_steps = steps(Letter::loc) | inverse(steps(Letter::loc));
inline constexpr Steps arriving = forward_steps | location_steps;           // steps that can lead to the new event
inline constexpr Steps leaving = inverse(forward_steps) | location_steps;   // steps that can leave it

// What is known of x and y if x -arrive-> e and e -leave-> y, for the new event e.
struct Detour {
  Steps steps = 0;
  bool same = false;  // x and y may be the same event
};

Detour around(StepCode arrive, StepCode leave);

}  // namespace heddle::prover
