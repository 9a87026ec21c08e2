// Shortens the code of a function without changing what it does: jumps to jumps go straight to their end, branches
// with one target become jumps, moves of a register to itself, jumps to the next instruction and unreachable
// instructions disappear.
#pragma once

#include "bytecode/program.h"

namespace heddle::frontend {

void tidy_code(bytecode::Function& function);

}  // namespace heddle::frontend
