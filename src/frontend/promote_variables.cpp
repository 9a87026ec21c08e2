// See promote_variables.h. Tested in load_program_test.cpp.
#include "frontend/promote_variables.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include <vector>

namespace heddle::frontend {

namespace {

// Exceptions are not modelled: a call that may throw goes on to its normal destination.
void replace_invokes(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator())) llvm::changeToCall(invoke);
  }
}

bool is_scalar(const llvm::Type* type) {
  return type->isIntegerTy() || type->isPointerTy() || type->isFloatTy() || type->isDoubleTy();
}

llvm::Value* convert(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Type* type) {
  if (value->getType() == type) return value;
  auto* integer = builder.getIntNTy(type->isPointerTy() || type->isDoubleTy() ? 64
                                    : type->isFloatTy()                       ? 32
                                                                              : type->getIntegerBitWidth());
  return builder.CreateBitOrPointerCast(builder.CreateBitOrPointerCast(value, integer), type);
}

// A variable that is stored as one type and loaded as another of the same size (clang does that around atomics) is
// given one type, so that it can become a register.
llvm::AllocaInst* unify_access_types(llvm::AllocaInst* variable, const llvm::DataLayout& layout) {
  llvm::Type* type = nullptr;
  bool differ = false;
  for (llvm::User* user : variable->users()) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && !load->isVolatile()) {
      type = type ? type : load->getType();
      differ |= load->getType() != type;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && !store->isVolatile()) {
      if (store->getValueOperand() == variable) return variable;
      type = type ? type : store->getValueOperand()->getType();
      differ |= store->getValueOperand()->getType() != type;
    } else {
      return variable;
    }
  }
  if (!type || (!differ && type == variable->getAllocatedType())) return variable;
  const auto size = layout.getTypeAllocSize(variable->getAllocatedType());
  for (llvm::User* user : variable->users()) {
    llvm::Type* accessed = llvm::getLoadStoreType(user);
    if (!is_scalar(accessed) || layout.getTypeSizeInBits(accessed) != size * 8) return variable;
  }
  auto* replacement = new llvm::AllocaInst(type, variable->getAddressSpace(), nullptr, variable->getAlign(), "",
                                           variable->getIterator());
  for (llvm::User* user : llvm::make_early_inc_range(variable->users())) {
    llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(user));
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user)) {
      llvm::Value* value = convert(builder, store->getValueOperand(), type);
      store->setOperand(0, value);
      store->setOperand(1, replacement);
      continue;
    }
    auto* load = llvm::cast<llvm::LoadInst>(user);
    auto* typed = builder.CreateAlignedLoad(type, replacement, load->getAlign());
    load->replaceAllUsesWith(convert(builder, typed, load->getType()));
    load->eraseFromParent();
  }
  variable->replaceAllUsesWith(replacement);  // debug records
  variable->eraseFromParent();
  return replacement;
}

// The variables that a store always precedes a load of, among `candidates`.
class DefiniteStores {
 public:
  DefiniteStores(llvm::Function& function, const std::vector<llvm::AllocaInst*>& candidates)
      : function_(function), bad_(candidates.size()) {
    for (unsigned i = 0; i < candidates.size(); ++i) index_[candidates[i]] = i;
  }

  // One bit a candidate: set if some load may come before every store.
  llvm::BitVector find_maybe_uninitialised() {
    const unsigned count = bad_.size();
    const llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock* block : order) {
        llvm::BitVector stored = stored_before(block, count);
        step(*block, stored, false);
        auto [entry, added] = stored_after_.try_emplace(block, stored);
        if (!added && entry->second != stored)
          entry->second = stored;
        else if (!added)
          continue;
        changed = true;
      }
    }
    for (llvm::BasicBlock* block : order) {
      llvm::BitVector stored = stored_before(block, count);
      step(*block, stored, true);
    }
    return bad_;
  }

 private:
  llvm::BitVector stored_before(llvm::BasicBlock* block, unsigned count) {
    if (block->isEntryBlock()) return llvm::BitVector(count, false);
    llvm::BitVector result(count, true);
    for (llvm::BasicBlock* before : llvm::predecessors(block)) {
      if (auto known = stored_after_.find(before); known != stored_after_.end()) result &= known->second;
    }
    return result;
  }

  void step(llvm::BasicBlock& block, llvm::BitVector& stored, bool check) {
    for (llvm::Instruction& instruction : block) {
      if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
        if (auto known = index_.find(store->getPointerOperand()); known != index_.end()) stored.set(known->second);
      } else if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
        auto known = index_.find(load->getPointerOperand());
        if (check && known != index_.end() && !stored.test(known->second)) bad_.set(known->second);
      } else if (auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
                 intrinsic && intrinsic->getIntrinsicID() == llvm::Intrinsic::lifetime_start) {
        if (auto known = index_.find(intrinsic->getArgOperand(1)); known != index_.end()) stored.reset(known->second);
      }
    }
  }

  llvm::Function& function_;
  llvm::DenseMap<const llvm::Value*, unsigned> index_;
  llvm::DenseMap<llvm::BasicBlock*, llvm::BitVector> stored_after_;
  llvm::BitVector bad_;
};

void forget_debug_name(llvm::AllocaInst* variable) {
  for (llvm::DbgDeclareInst* declare : llvm::findDbgDeclares(variable)) declare->eraseFromParent();
  for (llvm::DbgVariableRecord* record : llvm::findDVRDeclares(variable)) record->eraseFromParent();
}

bool promote_once(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> variables, candidates;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (variable && !variable->isArrayAllocation()) variables.push_back(variable);
    }
  }
  for (llvm::AllocaInst* variable : variables) {
    variable = unify_access_types(variable, function.getDataLayout());
    if (llvm::isAllocaPromotable(variable)) candidates.push_back(variable);
  }
  if (candidates.empty()) return false;
  const llvm::BitVector bad = DefiniteStores(function, candidates).find_maybe_uninitialised();
  std::vector<llvm::AllocaInst*> chosen;
  for (unsigned i = 0; i < candidates.size(); ++i) {
    if (!bad.test(i)) chosen.push_back(candidates[i]);
  }
  if (chosen.empty()) return false;
  for (llvm::AllocaInst* variable : chosen) forget_debug_name(variable);
  llvm::DominatorTree dominators(function);
  llvm::PromoteMemToReg(chosen, dominators);
  return true;
}

// Instructions without any effect but their value.
bool is_pure(const llvm::Instruction& instruction) {
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return !binary->isIntDivRem();
  return llvm::isa<llvm::CastInst, llvm::CmpInst, llvm::GetElementPtrInst, llvm::SelectInst, llvm::PHINode,
                   llvm::FreezeInst, llvm::ExtractValueInst, llvm::InsertValueInst, llvm::UnaryOperator>(instruction);
}

void remove_unused_values(llvm::Function& function) {
  std::vector<llvm::Instruction*> pending;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      if (instruction.use_empty() && is_pure(instruction)) pending.push_back(&instruction);
    }
  }
  while (!pending.empty()) {
    llvm::Instruction* instruction = pending.back();
    pending.pop_back();
    std::vector<llvm::Instruction*> operands;
    for (llvm::Value* operand : instruction->operands()) {
      auto* defined = llvm::dyn_cast<llvm::Instruction>(operand);
      if (defined && defined != instruction) operands.push_back(defined);
    }
    instruction->eraseFromParent();
    std::sort(operands.begin(), operands.end());
    operands.erase(std::unique(operands.begin(), operands.end()), operands.end());
    for (llvm::Instruction* operand : operands) {
      if (operand->use_empty() && is_pure(*operand)) pending.push_back(operand);
    }
  }
}

}  // namespace

void promote_variables(llvm::Function& function) {
  replace_invokes(function);
  // Only blocks that no path of the control flow graph reaches; undefined behaviour is left for the machine to report.
  llvm::EliminateUnreachableBlocks(function);
  // Promoting a pointer variable can leave the variable it pointed to without any other use of its address.
  for (int round = 0; round < 8 && promote_once(function); ++round) {}
  remove_unused_values(function);
}

}  // namespace heddle::frontend
