// The few steps of an execution that a reader needs to understand an error.
//
// A step matters if it touches a location that several threads touch and the error can depend on it: it precedes the
// error in the failing thread, or it writes a location that a step that matters accesses, or it precedes such a write
// in its thread. Starting, ending and joining threads and setting up mutexes is left out, allocating too unless the
// error is about memory. If a thread has many, only its last ones are kept. Steps named by the caller always stay.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/recorded_execution.h"
#include "report/describe_step.h"

namespace heddle::report {

struct ThatMatter {
  std::vector<char> keep;         // one per step
  std::uint32_t left_out = 0;     // steps that matter but are not kept: too many
};

// `needed`: steps that must stay, e.g. those of a cycle.
ThatMatter events_that_matter(const bytecode::Violation& violation, const std::vector<Step>& steps,
                              const std::vector<std::uint32_t>& needed);

}  // namespace heddle::report
