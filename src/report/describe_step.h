// Steps: the events of an execution as a reader sees them. The two halves of a read-modify-write (or of taking a mutex)
// are one step; every other event is a step of its own. And what a step does, in a few words: `data = 42`,
// `reads flag: 1`, `locks m`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/name_address.h"

namespace heddle::report {

struct Step {
  std::uint32_t first = 0;  // index into RecordedExecution::events
  std::optional<std::uint32_t> second;  // the write half of a read-modify-write
};

// In the order of the execution's events (of the first half).
std::vector<Step> steps_of(const bytecode::RecordedExecution& execution);

// For every event, the index of its step.
std::vector<std::uint32_t> step_of_event(const bytecode::RecordedExecution& execution, const std::vector<Step>& steps);

bool is_access(const bytecode::RecordedEvent& event);

// What happens: "data = 42". `note` is what else matters: "relaxed, from line 14"; `home` is the file that lines are in
// unless said otherwise.
std::string describe_step(const Names& names, const Step& step);
std::string note_on_step(const Names& names, const Step& step, std::uint32_t home);
// The same as the end of a sentence that starts with a thread: "writes data = 42".
std::string sentence_of_step(const Names& names, const Step& step);

}  // namespace heddle::report
