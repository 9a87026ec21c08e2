// See the header. The layout of the graph's memory enters the code here, by offsetof.
#include "consistency/native/function_emitter.h"

#include <cstddef>

#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "consistency/native_code.h"
#include "graph/execution_graph.h"

namespace heddle::consistency::native {

using graph::Event;
using graph::GraphMemory;

static_assert(graph::label_other < (graph::Labels{1} << 32), "compiled code looks at the low half of the labels");
static_assert(sizeof(graph::EventId) == 4 && sizeof(graph::ThreadId) == 4 && sizeof(graph::LocationId) == 4);

FunctionEmitter::FunctionEmitter(llvm::Module& module, const std::string& name, unsigned view_count, bool internal,
                                 unsigned more_arguments)
    : ir(module.getContext()), views(view_count) {
  llvm::Type* pointer = ir.getPtrTy();
  std::vector<llvm::Type*> types{pointer, pointer, ir.getInt32Ty()};
  types.resize(types.size() + more_arguments, ir.getInt32Ty());
  function = llvm::Function::Create(llvm::FunctionType::get(ir.getInt32Ty(), types, false),
                                    internal ? llvm::Function::InternalLinkage : llvm::Function::ExternalLinkage, name,
                                    module);
  function->setDoesNotThrow();
  for (unsigned i = 0; i < 2; ++i) function->addParamAttr(i, llvm::Attribute::NoAlias);
  memory = function->getArg(0);
  scratch = function->getArg(1);
  e = function->getArg(2);
  entry_ = block("entry");
  at(entry_);
  events_ = fixed(pointer, byte(memory, offsetof(GraphMemory, events)));
  views_ = fixed(pointer, byte(memory, offsetof(GraphMemory, views)));
  threads_ = fixed(pointer, byte(memory, offsetof(GraphMemory, threads)));
  locations_ = fixed(pointer, byte(memory, offsetof(GraphMemory, locations)));
  stride_ = fixed(ir.getInt32Ty(), byte(memory, offsetof(GraphMemory, stride)));
  row_size_ = ir.CreateMul(wide(stride_), ir.getInt64(4 * views));
  marks = fixed(pointer, byte(scratch, offsetof(NativeScratch, marks)));
  stack = fixed(pointer, byte(scratch, offsetof(NativeScratch, stack)));
  lowest = fixed(pointer, byte(scratch, offsetof(NativeScratch, lowest)));
}

void FunctionEmitter::finish() {
  const llvm::DominatorTree dominators(*function);
  llvm::PromoteMemToReg(slots_, const_cast<llvm::DominatorTree&>(dominators));
}

FunctionEmitter::Block* FunctionEmitter::block(const char* name) {
  return llvm::BasicBlock::Create(ir.getContext(), name, function);
}

void FunctionEmitter::require(Value* condition, Block* otherwise) {
  Block* next = block("holds");
  branch(condition, next, otherwise);
  at(next);
}

llvm::AllocaInst* FunctionEmitter::slot(llvm::Type* type) {
  llvm::IRBuilder<> first(entry_, entry_->begin());
  slots_.push_back(first.CreateAlloca(type));
  return slots_.back();
}

llvm::AllocaInst* FunctionEmitter::slot(Value* initial) {
  llvm::AllocaInst* variable = slot(initial->getType());
  set(variable, initial);
  return variable;
}

FunctionEmitter::Value* FunctionEmitter::fixed(llvm::Type* type, Value* address) {
  llvm::LoadInst* load = ir.CreateLoad(type, address);
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(ir.getContext(), {}));
  return load;
}

EventRef FunctionEmitter::event(Value* id) {
  return {id, ir.CreateInBoundsGEP(ir.getInt8Ty(), events_, ir.CreateMul(wide(id), ir.getInt64(sizeof(Event))))};
}

// Labels of reads change (a compare-exchange may come to fail), but not while a function runs.
FunctionEmitter::Value* FunctionEmitter::labels(const EventRef& event) { return field(event, offsetof(Event, labels)); }

FunctionEmitter::Value* FunctionEmitter::thread(const EventRef& event) { return field(event, offsetof(Event, thread)); }
FunctionEmitter::Value* FunctionEmitter::index(const EventRef& event) { return field(event, offsetof(Event, index)); }

FunctionEmitter::Value* FunctionEmitter::thread_count() {
  return fixed(ir.getInt32Ty(), byte(memory, offsetof(GraphMemory, thread_count)));
}

FunctionEmitter::Value* FunctionEmitter::thread_record(Value* thread) {
  return ir.CreateInBoundsGEP(ir.getInt8Ty(), threads_,
                              ir.CreateMul(wide(thread), ir.getInt64(sizeof(graph::ThreadEvents))));
}

FunctionEmitter::Value* FunctionEmitter::thread_events(Value* thread) {
  return fixed(ir.getPtrTy(), byte(thread_record(thread), offsetof(graph::ThreadEvents, events)));
}

FunctionEmitter::Value* FunctionEmitter::thread_size(Value* thread) {
  return fixed(ir.getInt32Ty(), byte(thread_record(thread), offsetof(graph::ThreadEvents, size)));
}

FunctionEmitter::Value* FunctionEmitter::last_write(Value* location) {
  Value* record = ir.CreateInBoundsGEP(ir.getInt8Ty(), locations_,
                                       ir.CreateMul(wide(location), ir.getInt64(sizeof(graph::Location))));
  return fixed(ir.getInt32Ty(), byte(record, offsetof(graph::Location, last_write)));
}

FunctionEmitter::Value* FunctionEmitter::views_of(Value* event) {
  return ir.CreateInBoundsGEP(ir.getInt8Ty(), views_, ir.CreateMul(wide(event), row_size_));
}

FunctionEmitter::Value* FunctionEmitter::view_in(Value* all, unsigned which) {
  if (which == 0) return all;
  return ir.CreateInBoundsGEP(ir.getInt32Ty(), all, ir.CreateMul(wide(stride_), ir.getInt64(which)));
}

FunctionEmitter::Value* FunctionEmitter::new_search() {
  Value* address = byte(scratch, offsetof(NativeScratch, search));
  Value* next = ir.CreateAdd(number_at(address), number(1));
  ir.CreateStore(next, address);
  return next;
}

void FunctionEmitter::require_labels(const EventRef& event, const automata::Guard& guard, const LabelSet& among,
                                     Block* otherwise) {
  const automata::Guard simple = simplified(guard, among);
  const auto mask = static_cast<std::uint32_t>(simple.mask), value = static_cast<std::uint32_t>(simple.value);
  if (simple.value >> 32 != 0) {  // labels that do not exist
    require(ir.getFalse(), otherwise);
  } else if (mask != 0) {
    require(same(ir.CreateAnd(labels(event), number(mask)), number(value)), otherwise);
  }
}

}  // namespace heddle::consistency::native
