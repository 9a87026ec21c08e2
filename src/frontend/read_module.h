// Gets one LLVM module out of all input files: compiles, reads, links, checks the target, and adds the functions of
// the C library that are written in C (runtime/library.c) where the program uses them.
#pragma once

#include <memory>

#include "base/diagnostic.h"
#include "frontend/load_program.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace heddle::frontend {

// The linked module, or what is wrong with the input; the compiler's warnings are appended to `messages`.
Result<std::unique_ptr<llvm::Module>> read_module(const FrontendOptions& options, llvm::LLVMContext& context,
                                                  std::string& messages);

// Marks functions that came from runtime/library.c.
inline constexpr const char* runtime_attribute = "heddle-runtime";
// The function of runtime/library.c for Program::at_thread_end; not every program has it.
inline constexpr const char* thread_end_function = "__heddle_thread_end";

}  // namespace heddle::frontend
