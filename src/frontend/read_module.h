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

// The linked module, or what is wrong with the input.
Result<std::unique_ptr<llvm::Module>> read_module(const FrontendOptions& options, llvm::LLVMContext& context);

// Marks functions that came from runtime/library.c.
inline constexpr const char* runtime_attribute = "heddle-runtime";

}  // namespace heddle::frontend
