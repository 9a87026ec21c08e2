// See scalarize_vectors.h. Tested in run_program_test.cpp and tests/cases/vector_*.c.
#include "frontend/scalarize_vectors.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

namespace heddle::frontend {

namespace {

bool mentions_vectors(const llvm::Function& function) {
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    if (instruction.getType()->isVectorTy()) return true;
    for (const llvm::Value* operand : instruction.operands()) {
      if (operand->getType()->isVectorTy()) return true;
    }
  }
  return false;
}

}  // namespace

void scalarize_vectors(llvm::Function& function) {
  if (!mentions_vectors(function)) return;  // setting up a pass takes longer than most functions
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  llvm::ScalarizerPass pass;
  pass.setScalarizeVariableInsertExtract(true);
  pass.setScalarizeLoadStore(false);  // lowered element by element anyway
  pass.run(function, analyses);
}

}  // namespace heddle::frontend
