// Whether a program is well formed: every register, constant, target, index and width in range, so that the machine
// need not check them again. Run after every step that makes or changes a program. Tested in verify_program_test.cpp.
#pragma once

#include "base/diagnostic.h"
#include "bytecode/program.h"

namespace heddle::bytecode {

// What is wrong with the program; empty if nothing is. At most a hundred findings.
Diagnostics verify(const Program& program);

}  // namespace heddle::bytecode
