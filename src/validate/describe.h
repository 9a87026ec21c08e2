// What disagreed, in words: for the message of an internal error, never for users' reports.
#pragma once

#include <string>

#include "bytecode/recorded_execution.h"
#include "validate/step.h"

namespace heddle::validate {

const char* name_of(bytecode::ErrorKind kind);
std::string describe_step(const Step& step);

// The first field in which the record is not what the run expects, with both values; empty if there is none. The place
// in coherence is not compared: it is no matter of the thread.
std::string describe_difference(const bytecode::RecordedEvent& expected, const bytecode::RecordedEvent& recorded);

}  // namespace heddle::validate
