// See merge_peeled_rounds.h.
#include "frontend/merge_peeled_rounds.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace heddle::frontend {

namespace {

bool is_atomic_access(const llvm::Instruction& instruction) {
  return instruction.isAtomic() && !llvm::isa<llvm::FenceInst>(instruction);
}

bool may_move(const llvm::Instruction& instruction) {
  return is_atomic_access(instruction) ||
         llvm::isa<llvm::BinaryOperator, llvm::CmpInst, llvm::CastInst, llvm::SelectInst, llvm::ExtractValueInst,
                   llvm::GetElementPtrInst>(instruction);
}

class Head {
 public:
  explicit Head(llvm::BasicBlock& head) : head_(head), before_(llvm::pred_begin(&head), llvm::pred_end(&head)) {}

  // Do all ways to the head lead nowhere else, and is there one from the loop and one from outside?
  bool fits(const llvm::DominatorTree& dominators) const {
    unsigned back = 0;
    for (const llvm::BasicBlock* block : before_) {
      const auto* jump = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (jump == nullptr || !jump->isUnconditional() || !dominators.isReachableFromEntry(block)) return false;
      back += dominators.dominates(&head_, block);
    }
    return back > 0 && back < before_.size();
  }

  void merge(const llvm::DominatorTree& dominators) {
    collect();
    // The more, the better; without an access, it would be for nothing.
    while (!tuples_.empty() && !(is_access(tuples_.back()) && all_fit())) tuples_.pop_back();
    if (tuples_.empty()) return;
    llvm::Instruction* place = &*head_.getFirstInsertionPt();
    std::vector<llvm::Instruction*> merged(tuples_.size());
    for (std::size_t t = tuples_.size(); t-- > 0;) {
      merged[t] = llvm::cast<llvm::Instruction>(tuples_[t].front())->clone();
      for (unsigned k = 0; k < merged[t]->getNumOperands(); ++k) {
        if (llvm::PHINode* phi = phi_of(operands(t, k)))
          merged[t]->setOperand(k, phi);
        else if (const auto other = tuple_of(operands(t, k)))
          merged[t]->setOperand(k, merged[*other]);
      }
      for (unsigned i = 0; i < before_.size(); ++i)
        if (dominators.dominates(&head_, before_[i]))
          merged[t]->setDebugLoc(llvm::cast<llvm::Instruction>(tuples_[t][i])->getDebugLoc());
      merged[t]->setMetadata(merged_round, llvm::MDNode::get(head_.getContext(), {}));
      merged[t]->insertBefore(place);
    }
    for (llvm::PHINode& phi : llvm::make_early_inc_range(head_.phis())) {
      const auto replaced = tuple_of(values_of(phi));
      if (!replaced) continue;
      phi.replaceAllUsesWith(merged[*replaced]);
      phi.eraseFromParent();
    }
    for (const Values& tuple : tuples_)
      for (llvm::Value* value : tuple) llvm::cast<llvm::Instruction>(value)->eraseFromParent();
  }

 private:
  using Values = llvm::SmallVector<llvm::Value*, 4>;  // one for each way to the head

  // What comes last on every way, from the end.
  void collect() {
    llvm::SmallVector<llvm::Instruction*, 4> at;
    for (llvm::BasicBlock* block : before_) at.push_back(block->getTerminator());
    for (;;) {
      Values tuple;
      for (llvm::Instruction*& instruction : at) {
        instruction = instruction->getPrevNonDebugInstruction();
        if (instruction == nullptr || !may_move(*instruction) || !instruction->isSameOperationAs(at.front())) return;
        tuple.push_back(instruction);
      }
      tuples_.push_back(std::move(tuple));
    }
  }

  static bool is_access(const Values& tuple) { return is_atomic_access(*llvm::cast<llvm::Instruction>(tuple.front())); }

  bool all_fit() const {
    for (std::size_t t = 0; t < tuples_.size(); ++t)
      if (!operands_fit(t) || !users_fit(t)) return false;
    return true;
  }

  // Operands are the same everywhere, or brought together by the head, or results that are moved along.
  bool operands_fit(std::size_t t) const {
    const unsigned count = llvm::cast<llvm::Instruction>(tuples_[t].front())->getNumOperands();
    for (unsigned k = 0; k < count; ++k) {
      const Values values = operands(t, k);
      if (!llvm::all_equal(values) && phi_of(values) == nullptr && !tuple_of(values)) return false;
    }
    return true;
  }

  // Results go to phis of the head that bring just them together, or to what is moved along.
  bool users_fit(std::size_t t) const {
    for (unsigned i = 0; i < before_.size(); ++i) {
      for (const llvm::User* user : tuples_[t][i]->users()) {
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        const bool to_head = phi != nullptr && phi->getParent() == &head_ && values_of(*phi) == tuples_[t];
        const bool along = std::any_of(tuples_.begin(), tuples_.begin() + static_cast<std::ptrdiff_t>(t),
                                       [&](const Values& later) { return later[i] == user; });
        if (!to_head && !along) return false;
      }
    }
    return true;
  }

  Values operands(std::size_t t, unsigned k) const {
    Values values;
    for (llvm::Value* value : tuples_[t]) values.push_back(llvm::cast<llvm::Instruction>(value)->getOperand(k));
    return values;
  }

  Values values_of(const llvm::PHINode& phi) const {
    Values values;
    for (const llvm::BasicBlock* block : before_) values.push_back(phi.getIncomingValueForBlock(block));
    return values;
  }

  llvm::PHINode* phi_of(const Values& values) const {
    if (llvm::all_equal(values) || tuple_of(values)) return nullptr;
    for (llvm::PHINode& phi : head_.phis())
      if (values_of(phi) == values) return &phi;
    return nullptr;
  }

  std::optional<std::size_t> tuple_of(const Values& values) const {
    for (std::size_t t = 0; t < tuples_.size(); ++t)
      if (tuples_[t] == values) return t;
    return std::nullopt;
  }

  llvm::BasicBlock& head_;
  llvm::SmallVector<llvm::BasicBlock*, 4> before_;
  std::vector<Values> tuples_;
};

}  // namespace

void merge_peeled_rounds(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  for (llvm::BasicBlock& block : function) {
    Head head(block);
    if (head.fits(dominators)) head.merge(dominators);
  }
}

}  // namespace heddle::frontend
