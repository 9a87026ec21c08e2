// Code for the quick look at a graph: is there any cycle of program order, creation, joining, reads-from, coherence and
// from-reads through the event? (cycle_filter.h) Program order is not walked step by step: of every thread it is known
// from which event on it has been reached, and only the part before that is looked at.
#pragma once

#include "consistency/native/function_emitter.h"
#include "consistency/specialised_model.h"

namespace heddle::consistency::native {

// Jumps to `found` if there may be a cycle through f.e, else to `none`.
void emit_cycle_filter(FunctionEmitter& f, const LabelSet& program, llvm::BasicBlock* found, llvm::BasicBlock* none);

// Does the constraint forbid every such cycle? Then what the filter finds is the answer.
bool forbids_every_cycle(const SpecialisedConstraint& constraint, const LabelSet& program);

}  // namespace heddle::consistency::native
