// One execution as a short string of bytes, the same whether it comes from the reference or from the tool: per thread its
// reads, writes, fences and choices with location, value and order, for reads where the value came from, and per
// location the coherence order. Two executions with the same key are the same up to Shasha-Snir equivalence.
// Main makes no events that count; creation, begin, end, join, allocation and release are left out; so are the orders
// of accesses to mutexes, which are the tool's own business.
//
// Barriers are left out altogether, whatever events the tool makes of them: an execution is the same in whatever order
// threads arrive, and where it matters who meets whom, values and coherence show it. Tested in oracle_test.cpp.
#pragma once

#include <string>

#include "bytecode/recorded_execution.h"
#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

std::string canonical_key(const LitmusProgram& program, const Candidate& candidate);

// The key without the coherence order: the reads-from class.
std::string reads_from_key(const std::string& key);

// What the tool recorded for the program that to_bytecode made of `program`. Something that cannot be expressed as a
// key (an access to an unknown address, a gap in the coherence ranks) is written into the key, so that it never
// matches.
std::string canonical_key(const LitmusProgram& program, const bytecode::RecordedExecution& execution);

// A key for people:
//   T1: W x=1 relaxed; R y=0 relaxed <- initial | T2: ... | co x: T1.0
std::string describe_key(const LitmusProgram& program, const std::string& key);

// Everything that the tool recorded, barriers as well, in the tool's terms: two executions of one exploration never
// have the same.
std::string full_key(const bytecode::RecordedExecution& execution);

}  // namespace heddle::cross_check
