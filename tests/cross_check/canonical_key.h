// One execution as a string, the same string whether it comes from the reference or from the tool: per thread its reads,
// writes and fences with location, value and order, for reads where the value came from, and per location the coherence
// order. Two executions with the same key are the same up to Shasha-Snir equivalence.
//   T1: W x=1 relaxed; R y=0 relaxed <- initial | T2: ... | co x: T1.0
// Thread 0 (main) makes no events; creation, begin, end and join are left out. Tested in oracle_test.cpp.
#pragma once

#include <string>

#include "bytecode/recorded_execution.h"
#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

std::string canonical_key(const LitmusProgram& program, const Candidate& candidate);

// The key without the coherence order: the reads-from class.
std::string reads_from_key(const LitmusProgram& program, const Candidate& candidate);

// What the tool recorded for the program that to_bytecode made of `program`. Something that cannot be expressed as a
// key (an access to an unknown address, a gap in the coherence ranks) is written into the key, so that it never matches.
std::string canonical_key(const LitmusProgram& program, const bytecode::RecordedExecution& execution);

}  // namespace heddle::cross_check
