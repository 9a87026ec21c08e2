// See capture_analysis.h. Tested in load_program_test.cpp.
#include "frontend/capture_analysis.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "frontend/lower_library.h"

namespace heddle::frontend {

CaptureAnalysis::CaptureAnalysis(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    for (const llvm::Argument& parameter : function.args()) parameters_[&parameter] = {};
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::Function& function : module) {
      if (function.isDeclaration()) continue;
      for (const llvm::Argument& parameter : function.args()) {
        const Fate fate = follow(&parameter);
        if (fate == parameters_[&parameter]) continue;
        parameters_[&parameter] = fate;
        changed = true;
      }
    }
  }
}

bool CaptureAnalysis::is_captured(const llvm::Value* object) const {
  const Fate fate = follow(object);
  return fate.captured || fate.returned;
}

CaptureAnalysis::Fate CaptureAnalysis::follow(const llvm::Value* address) const {
  Fate fate;
  llvm::SmallPtrSet<const llvm::Value*, 16> seen{address};
  llvm::SmallVector<const llvm::Value*, 16> pending{address};
  while (!pending.empty()) {
    const llvm::Value* value = pending.pop_back_val();
    for (const llvm::Use& use : value->uses()) {
      switch (classify(use)) {
        case Step::harmless: break;
        case Step::captured: return {.captured = true, .returned = false};
        case Step::returned: fate.returned = true; break;
        case Step::follow:
          if (seen.insert(use.getUser()).second) pending.push_back(use.getUser());
          break;
      }
    }
  }
  return fate;
}

CaptureAnalysis::Step CaptureAnalysis::classify(const llvm::Use& use) const {
  const llvm::User* user = use.getUser();
  if (llvm::isa<llvm::LoadInst, llvm::CmpInst, llvm::BranchInst, llvm::SwitchInst>(user)) return Step::harmless;
  if (llvm::isa<llvm::StoreInst>(user)) return use.getOperandNo() == 1 ? Step::harmless : Step::captured;
  if (llvm::isa<llvm::AtomicRMWInst>(user)) return use.getOperandNo() == 0 ? Step::harmless : Step::captured;
  if (llvm::isa<llvm::AtomicCmpXchgInst>(user)) return use.getOperandNo() <= 1 ? Step::harmless : Step::captured;
  if (llvm::isa<llvm::GetElementPtrInst, llvm::CastInst, llvm::PHINode, llvm::SelectInst, llvm::FreezeInst,
                llvm::BinaryOperator, llvm::InsertValueInst, llvm::ExtractValueInst, llvm::InsertElementInst,
                llvm::ExtractElementInst>(user)) {
    return Step::follow;
  }
  if (llvm::isa<llvm::ReturnInst>(user)) return Step::returned;
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(user)) return classify_call(*call, use);
  return Step::captured;
}

CaptureAnalysis::Step CaptureAnalysis::classify_call(const llvm::CallBase& call, const llvm::Use& use) const {
  if (!call.isArgOperand(&use)) return Step::harmless;  // it is the callee
  const unsigned index = call.getArgOperandNo(&use);
  if (call.isByValArgument(index)) return Step::harmless;  // the callee gets a copy
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (llvm::isa<llvm::AnyMemIntrinsic, llvm::DbgInfoIntrinsic, llvm::LifetimeIntrinsic>(intrinsic)) {
      return Step::harmless;
    }
    switch (intrinsic->getIntrinsicID()) {
      case llvm::Intrinsic::vastart:
      case llvm::Intrinsic::vaend:
      case llvm::Intrinsic::vacopy:
      case llvm::Intrinsic::assume:
      case llvm::Intrinsic::objectsize:
      case llvm::Intrinsic::prefetch:
      case llvm::Intrinsic::is_constant:
      case llvm::Intrinsic::stackrestore: return Step::harmless;
      case llvm::Intrinsic::threadlocal_address:
      case llvm::Intrinsic::ptrmask:
      case llvm::Intrinsic::expect:
      case llvm::Intrinsic::launder_invariant_group:
      case llvm::Intrinsic::strip_invariant_group: return Step::follow;
      default: return Step::captured;
    }
  }
  const llvm::Function* callee = call.getCalledFunction();  // null if the types do not match
  if (!callee) return Step::captured;
  if (callee->isDeclaration()) {
    switch (effect_on_argument(callee->getName().str(), index)) {
      case ArgumentEffect::harmless: return Step::harmless;
      case ArgumentEffect::returned: return Step::follow;
      case ArgumentEffect::captured: return Step::captured;
    }
  }
  if (index >= callee->arg_size()) return Step::captured;
  const llvm::Argument* parameter = callee->getArg(index);
  if (parameter->hasByValAttr()) return Step::harmless;
  const Fate fate = parameters_.lookup(parameter);
  if (fate.captured) return Step::captured;
  return fate.returned ? Step::follow : Step::harmless;
}

}  // namespace heddle::frontend
