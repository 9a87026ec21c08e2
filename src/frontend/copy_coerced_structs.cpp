// See copy_coerced_structs.h. What a struct that travels as an integer looks like: an argument or result of integer
// type that is not `noundef`, because the padding of a struct may be undefined; clang marks all integers of the source
// as `noundef`. Tested by tests/cases/vector_shared_fields.c and struct_*.c.
#include "frontend/copy_coerced_structs.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <vector>

namespace heddle::frontend {

namespace {

// Whether nobody but this function can reach what the pointer points to.
bool is_local(const llvm::Value* pointer) {
  const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(pointer->stripInBoundsOffsets());
  return variable && !llvm::PointerMayBeCaptured(variable, /*ReturnCaptures=*/true, /*StoreCaptures=*/true);
}

bool is_coerced_load(const llvm::LoadInst& load) {
  if (!load.isSimple() || !load.getType()->isIntegerTy() || load.getType()->isIntegerTy(8) || !load.hasOneUse()) {
    return false;
  }
  const llvm::Use& use = *load.use_begin();
  const auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
  if (!call || llvm::isa<llvm::IntrinsicInst>(call) || !call->isArgOperand(&use)) return false;
  return !call->paramHasAttr(call->getArgOperandNo(&use), llvm::Attribute::NoUndef) &&
         !is_local(load.getPointerOperand());
}

// Whether the value is a parameter, or a result or a part of one, that may be a struct.
bool arrives_coerced(const llvm::Value* value) {
  if (const auto* part = llvm::dyn_cast<llvm::ExtractValueInst>(value)) value = part->getAggregateOperand();
  if (const auto* parameter = llvm::dyn_cast<llvm::Argument>(value)) {
    return !parameter->hasAttribute(llvm::Attribute::NoUndef);
  }
  const auto* call = llvm::dyn_cast<llvm::CallBase>(value);
  return call && !llvm::isa<llvm::IntrinsicInst>(call) && !call->hasRetAttr(llvm::Attribute::NoUndef);
}

bool is_coerced_store(const llvm::StoreInst& store) {
  const llvm::Value* value = store.getValueOperand();
  if (!store.isSimple() || !value->getType()->isIntegerTy() || value->getType()->isIntegerTy(8)) return false;
  if (!arrives_coerced(value)) return false;
  return llvm::isa<llvm::AllocaInst>(store.getPointerOperand()->stripInBoundsOffsets()) &&
         !is_local(store.getPointerOperand());
}

llvm::AllocaInst* temporary(llvm::Function& function, llvm::Type* type) {
  llvm::BasicBlock& entry = function.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(type);
}

void copy_variadic_structs(llvm::CallBase& call) {
  const llvm::DataLayout& layout = call.getDataLayout();
  for (unsigned index = call.getFunctionType()->getNumParams(); index < call.arg_size(); ++index) {
    if (!call.isByValArgument(index)) continue;
    llvm::Type* type = call.getParamByValType(index);
    llvm::AllocaInst* copy = temporary(*call.getFunction(), type);
    llvm::IRBuilder<> builder(&call);
    builder.CreateMemCpy(copy, copy->getAlign(), call.getArgOperand(index), call.getParamAlign(index),
                         layout.getTypeAllocSize(type).getFixedValue());
    call.setArgOperand(index, copy);
  }
}

}  // namespace

void copy_coerced_structs(llvm::Function& function) {
  std::vector<llvm::LoadInst*> loads;
  std::vector<llvm::StoreInst*> stores;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && is_coerced_load(*load)) {
      loads.push_back(load);
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction); store && is_coerced_store(*store)) {
      stores.push_back(store);
    } else if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      copy_variadic_structs(*call);
    }
  }
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::LoadInst* load : loads) {
    llvm::AllocaInst* copy = temporary(function, load->getType());
    llvm::IRBuilder<> builder(load);
    builder.CreateMemCpy(copy, copy->getAlign(), load->getPointerOperand(), load->getAlign(),
                         layout.getTypeStoreSize(load->getType()).getFixedValue());
    load->setOperand(load->getPointerOperandIndex(), copy);
    load->setAlignment(copy->getAlign());
  }
  for (llvm::StoreInst* store : stores) {
    llvm::AllocaInst* copy = temporary(function, store->getValueOperand()->getType());
    llvm::IRBuilder<> builder(store->getNextNode());
    builder.SetCurrentDebugLocation(store->getDebugLoc());
    builder.CreateMemCpy(store->getPointerOperand(), store->getAlign(), copy, copy->getAlign(),
                         layout.getTypeStoreSize(store->getValueOperand()->getType()).getFixedValue());
    store->setOperand(store->getPointerOperandIndex(), copy);
    store->setAlignment(copy->getAlign());
  }
}

}  // namespace heddle::frontend
