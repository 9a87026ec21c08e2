// From automata to an object file for this machine, in memory: writes the functions in LLVM's IR and compiles them.
#pragma once

#include <optional>
#include <string>

#include "consistency/native_code.h"

namespace heddle::consistency::native {

// Nothing, and `problem` says why, if LLVM cannot make code for this machine.
std::optional<std::string> compile_object(const CodeRequest& request, std::string& problem);

// The functions as LLVM's IR, as they go into the code generator: for people and tests.
std::string print_functions(const CodeRequest& request);

// Processor and LLVM: what code depends on beside the automata.
std::string describe_target();

}  // namespace heddle::consistency::native
