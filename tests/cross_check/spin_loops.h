// Random programs with loops that wait, explored with and without the treatment of such loops: the same final states
// and the same errors. Without it, every loop is bounded; waiting for longer leads nowhere new. Also with conditional
// additions made of a load and a compare-exchange, with futile explorations not cut short, and with loops that change
// memory and change it back (or write what was there) not waiting. No execution may come twice.
#pragma once

#include <cstdint>
#include <string>

#include "reference_models.h"

namespace heddle::cross_check {

struct SpinComparison {
  std::string difference;  // empty: none
  bool left_out = false;   // too many executions
  bool waited = false;     // some loop was cut short
  bool undone = false;     // some iteration was left out that had changed memory
  bool pruned = false;     // some exploration in which a loop waits for ever was cut short
};

SpinComparison compare_spinning(std::uint64_t seed, ReferenceModel model, std::uint64_t most_executions);

}  // namespace heddle::cross_check
