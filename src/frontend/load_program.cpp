// See load_program.h.
#include "frontend/load_program.h"

#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <fstream>

#include "base/check.h"
#include "bytecode/verify_program.h"
#include "frontend/capture_analysis.h"
#include "frontend/check_memory_orders.h"
#include "frontend/copy_coerced_structs.h"
#include "frontend/lower_module.h"
#include "frontend/merge_peeled_rounds.h"
#include "frontend/promote_variables.h"
#include "frontend/read_module.h"
#include "frontend/scalarize_vectors.h"

namespace heddle::frontend {

namespace {

bool write_module(const llvm::Module& module, const std::string& path) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  std::ofstream file(path);
  file << stream.str();
  return static_cast<bool>(file.flush());
}

}  // namespace

Result<bytecode::Program> load_program(const FrontendOptions& options, std::string* messages) {
  llvm::LLVMContext context;
  std::string ignored;
  auto module = read_module(options, context, messages ? *messages : ignored);
  if (!module) return module.problems();
  auto entry = prepare_module(**module, options);
  if (!entry) return entry.problems();
  for (llvm::Function& function : **module) {
    if (function.isDeclaration()) continue;
    check_memory_orders(function);
    copy_coerced_structs(function);
    promote_variables(function);
    if (options.merge_peeled_rounds) merge_peeled_rounds(function);
    scalarize_vectors(function);
  }
  if (!options.dump_ir.empty() && !write_module(**module, options.dump_ir)) {
    return Diagnostic{.file = options.dump_ir, .message = "cannot write the LLVM IR to this file"};
  }
  const CaptureAnalysis captures(**module);
  auto program = ModuleLowering(**module, captures, options).run(*entry);
  if (program) {
    const Diagnostics problems = bytecode::verify(*program);
    HEDDLE_CHECK(problems.empty(), problems.empty() ? "" : problems.front().message.c_str());
  }
  return program;
}

}  // namespace heddle::frontend
