// See check_memory_orders.h. Tested by tests/cases/atomic_order_*.c and error_order_*.c.
#include "frontend/check_memory_orders.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "frontend/lower_library.h"

namespace heddle::frontend {

namespace {

// The orders by their number in C, from memory_order_relaxed on.
constexpr std::array order_names = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
using OrderSet = std::vector<std::uint64_t>;

const OrderSet load_orders{0, 1, 2, 5}, store_orders{0, 3, 5}, all_orders{0, 1, 2, 3, 4, 5};

bool contains(const OrderSet& orders, std::uint64_t order) {
  return std::find(orders.begin(), orders.end(), order) != orders.end();
}

std::string describe(const std::string& operation, std::uint64_t order) {
  return order < order_names.size() ? fmt::format("{} with memory_order_{}", operation, order_names[order])
                                    : fmt::format("{} with a number that is no memory order", operation);
}

void add_error(llvm::IRBuilder<>& builder, const std::string& text) {
  llvm::Module& module = *builder.GetInsertBlock()->getModule();
  const auto function =
      module.getOrInsertFunction(undefined_behavior_function, builder.getVoidTy(), builder.getPtrTy());
  builder.CreateCall(function, {builder.CreateGlobalString(text, "", 0, &module)});
}

llvm::BasicBlock* error_block(llvm::Function& function, const llvm::DebugLoc& location, const std::string& text) {
  auto* block = llvm::BasicBlock::Create(function.getContext(), "", &function);
  llvm::IRBuilder<> builder(block);
  builder.SetCurrentDebugLocation(location);
  add_error(builder, text);
  builder.CreateUnreachable();
  return block;
}

// Sends every order that is not in `orders` to an error.
void add_error_cases(llvm::SwitchInst& choice, const OrderSet& orders, const std::string& operation) {
  llvm::Function& function = *choice.getFunction();
  auto* type = llvm::cast<llvm::IntegerType>(choice.getCondition()->getType());
  for (std::uint64_t order = 0; order < order_names.size(); ++order) {
    if (contains(orders, order)) continue;
    choice.addCase(llvm::ConstantInt::get(type, order),
                   error_block(function, choice.getDebugLoc(), describe(operation, order)));
  }
  choice.setDefaultDest(error_block(function, choice.getDebugLoc(), describe(operation, order_names.size())));
}

// ---- operations that clang has expanded

const llvm::Instruction* first_atomic(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    if (instruction.isAtomic()) return &instruction;
    // A compare-exchange chooses its order on failure inside of the one on success.
    if (const auto* inner = llvm::dyn_cast<llvm::SwitchInst>(&instruction))
      return first_atomic(*inner->getDefaultDest());
  }
  return nullptr;
}

// The operation that the switch chooses the order of, or null if it is the program's own. clang's is at one place in
// the source with all of the operations that it leads to, knows every order but relaxed, and has that as its default.
const llvm::Instruction* operation_of(const llvm::SwitchInst& choice) {
  if (!choice.getDebugLoc() || !choice.getCondition()->getType()->isIntegerTy(32)) return nullptr;
  const llvm::Instruction* operation = nullptr;
  bool strongest = false;
  for (const auto& one : choice.cases()) {
    const std::uint64_t order = one.getCaseValue()->getZExtValue();
    if (order == 0 || order >= order_names.size()) return nullptr;
    strongest |= order == 5;
    operation = first_atomic(*one.getCaseSuccessor());
    if (!operation || operation->getDebugLoc() != choice.getDebugLoc()) return nullptr;
  }
  return strongest ? operation : nullptr;
}

std::string name_of(const llvm::Instruction& operation, const OrderSet& orders) {
  if (llvm::isa<llvm::LoadInst>(operation)) return "atomic load";
  if (llvm::isa<llvm::StoreInst>(operation)) return "atomic store";
  if (llvm::isa<llvm::FenceInst>(operation)) return "fence";
  if (llvm::isa<llvm::AtomicCmpXchgInst>(operation)) {
    return contains(orders, 3) ? "compare-exchange" : "compare-exchange that fails";
  }
  return "atomic read-modify-write";
}

void check_switch(llvm::SwitchInst& choice) {
  const llvm::Instruction* operation = operation_of(choice);
  if (!operation) return;
  OrderSet orders{0};
  for (const auto& one : choice.cases()) orders.push_back(one.getCaseValue()->getZExtValue());
  auto* type = llvm::cast<llvm::IntegerType>(choice.getCondition()->getType());
  choice.addCase(llvm::ConstantInt::get(type, 0), choice.getDefaultDest());
  add_error_cases(choice, orders, name_of(*operation, orders));
}

// ---- calls of the __atomic_ functions

struct OrderArgument {
  unsigned index = 0;
  const OrderSet* orders = nullptr;
  std::string operation;
};

std::vector<OrderArgument> order_arguments(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  AtomicFunction function;
  if (!callee || !callee->isDeclaration() || !parse_atomic_function(callee->getName(), function)) return {};
  const unsigned last = call.arg_size() - 1;
  if (function.operation == "load") return {{last, &load_orders, "atomic load"}};
  if (function.operation == "store") return {{last, &store_orders, "atomic store"}};
  if (function.operation == "compare_exchange") {
    return {{last - 1, &all_orders, "compare-exchange"}, {last, &load_orders, "compare-exchange that fails"}};
  }
  return {{last, &all_orders, "atomic read-modify-write"}};
}

// One call for each order the argument may have.
std::vector<llvm::CallBase*> split_call(llvm::CallBase* call, const OrderArgument& argument) {
  llvm::BasicBlock* head = call->getParent();
  llvm::BasicBlock* rest = llvm::SplitBlock(head, call);
  head->getTerminator()->eraseFromParent();
  llvm::IRBuilder<> builder(head);
  builder.SetCurrentDebugLocation(call->getDebugLoc());
  llvm::Value* order = call->getArgOperand(argument.index);
  auto* type = llvm::cast<llvm::IntegerType>(order->getType());
  llvm::SwitchInst* choice = builder.CreateSwitch(order, rest);
  llvm::PHINode* merged = nullptr;
  if (!call->getType()->isVoidTy()) {
    builder.SetInsertPoint(rest, rest->begin());
    merged = builder.CreatePHI(call->getType(), static_cast<unsigned>(argument.orders->size()));
  }
  std::vector<llvm::CallBase*> calls;
  for (const std::uint64_t value : *argument.orders) {
    auto* block = llvm::BasicBlock::Create(call->getContext(), "", head->getParent(), rest);
    auto* copy = llvm::cast<llvm::CallBase>(call->clone());
    copy->insertInto(block, block->end());
    copy->setArgOperand(argument.index, llvm::ConstantInt::get(type, value));
    builder.SetInsertPoint(block);
    builder.CreateBr(rest);
    choice->addCase(llvm::ConstantInt::get(type, value), block);
    if (merged) merged->addIncoming(copy, block);
    calls.push_back(copy);
  }
  add_error_cases(*choice, *argument.orders, argument.operation);
  if (merged) call->replaceAllUsesWith(merged);
  call->eraseFromParent();
  return calls;
}

void check_call(llvm::CallBase* call) {
  for (const OrderArgument& argument : order_arguments(*call)) {
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(argument.index))) {
      if (contains(*argument.orders, known->getZExtValue())) continue;
      llvm::IRBuilder<> builder(call);
      add_error(builder, describe(argument.operation, known->getZExtValue()));
      return;
    }
    for (llvm::CallBase* copy : split_call(call, argument)) check_call(copy);
    return;
  }
}

}  // namespace

void check_memory_orders(llvm::Function& function) {
  std::vector<llvm::SwitchInst*> choices;
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&instruction)) choices.push_back(choice);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) calls.push_back(call);
  }
  for (llvm::SwitchInst* choice : choices) check_switch(*choice);
  for (llvm::CallBase* call : calls) {
    if (!order_arguments(*call).empty()) check_call(call);
  }
}

}  // namespace heddle::frontend
