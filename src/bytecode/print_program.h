// A program as text, one instruction a line, for people who debug the front end and for tests.
// Prints programs that are not well formed too. Tested in print_program_test.cpp.
//
//   function 0 main: 3 registers, 0 parameters
//     0  r0 = load.32 acquire #0x100000000          ; main.c:4:7
//     1  branch r0 -> 2, 4
//   global x at 0x100000000, 4 bytes: 00 00 00 00
#pragma once

#include <string>

#include "bytecode/program.h"

namespace heddle::bytecode {

std::string print(const Program& program);
std::string print(const Program& program, const Function& function, const Instruction& instruction);

}  // namespace heddle::bytecode
