// Packs the registers of a function: two registers share a slot if they are never alive at the same time. Frames are
// copied at every event, so small frames are fast; moves between registers that end up in one slot disappear.
//
// The idea is Chaitin's: liveness by data flow, an interference graph, merging of registers that a move connects,
// greedy colouring. Groups of neighbouring registers are placed together. Parameters keep their places.
#pragma once

#include "bytecode/program.h"
#include "frontend/code_builder.h"

namespace heddle::frontend {

void allocate_registers(bytecode::Function& function, const RegisterGroups& groups);

}  // namespace heddle::frontend
