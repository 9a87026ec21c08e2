// Lowers a whole LLVM module: prepares it (an entry without parameters, real functions behind the addresses of library
// functions), places globals, lowers every function.
#pragma once

#include <map>
#include <string>

#include "base/diagnostic.h"
#include "bytecode/program.h"
#include "frontend/load_program.h"
#include "frontend/loop_bounds.h"
#include "frontend/lower_globals.h"
#include "frontend/lower_types.h"

namespace llvm {
class AllocaInst;
class Function;
class Module;
class Value;
}  // namespace llvm

namespace heddle::frontend {

class CaptureAnalysis;

// What the lowering of single functions needs to know about the rest of the module.
class ModuleLowering {
 public:
  ModuleLowering(llvm::Module& module, const CaptureAnalysis& captures, const FrontendOptions& options);

  Result<bytecode::Program> run(const llvm::Function* entry);

  GlobalTable& globals() { return globals_; }
  DebugInformation& debug() { return debug_; }
  const CaptureAnalysis& captures() const { return captures_; }
  LoopBounds& loop_bounds() { return loop_bounds_; }
  const std::string& file(std::uint32_t index) const { return program_.files[index]; }
  // Index into Program::texts.
  std::uint32_t text(const std::string& text);
  // Index into Program::objects_of_code for a local variable or a byval parameter.
  std::uint32_t object(const llvm::Value* variable);

 private:
  llvm::Module& module_;
  const CaptureAnalysis& captures_;
  const FrontendOptions& options_;
  bytecode::Program program_;
  DebugInformation debug_;
  GlobalTable globals_;
  LoopBounds loop_bounds_;
  std::map<std::string, std::uint32_t> texts_;
};

// Makes the module ready: checks the entry function and gives it a caller that takes no parameters, gives library
// functions whose address is taken a body, drops what is not reached from anywhere.
Result<llvm::Function*> prepare_module(llvm::Module& module, const FrontendOptions& options);

}  // namespace heddle::frontend
