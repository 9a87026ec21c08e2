// Writes one function of compiled code, in LLVM's IR: control flow, the graph's memory, and guards.
//
// Code is written as one would write C: variables are stack slots, which finish() turns into registers. What is read
// from the graph does not change while the function runs (views excepted), and loads say so.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "automata/guard.h"
#include "automata/nfa.h"
#include "consistency/native/label_sets.h"

namespace heddle::consistency::native {

struct EventRef {
  llvm::Value* id = nullptr;
  llvm::Value* memory = nullptr;  // of its record
};

class FunctionEmitter {
 public:
  using Block = llvm::BasicBlock;
  using Value = llvm::Value;

  // uint32_t name(const GraphMemory*, NativeScratch*, EventId [, further numbers])
  FunctionEmitter(llvm::Module& module, const std::string& name, unsigned views, bool internal,
                  unsigned more_arguments = 0);
  // Ends the function: stack slots become registers. The builder must have left no block open.
  void finish();

  llvm::IRBuilder<> ir;
  llvm::Function* function = nullptr;
  Value *memory = nullptr, *scratch = nullptr, *e = nullptr;
  const unsigned views;  // that events carry

  // --- control flow ---
  Block* block(const char* name);
  void at(Block* block) { ir.SetInsertPoint(block); }
  void jump(Block* to) { ir.CreateBr(to); }
  void branch(Value* condition, Block* yes, Block* no) { ir.CreateCondBr(condition, yes, no); }
  // Goes on only if the condition holds; else jumps to `otherwise`.
  void require(Value* condition, Block* otherwise);
  void give(unsigned result) { ir.CreateRet(number(result)); }

  template <class Body>
  void when(Value* condition, Body&& body) {
    Block *yes = block("when"), *after = block("after");
    branch(condition, yes, after);
    at(yes);
    body();
    jump(after);
    at(after);
  }

  // for (x = first; x != no_event; x = x->next) body(x)
  template <class Body>
  void for_list(Value* first, std::size_t next_field, Body&& body) {
    llvm::AllocaInst* variable = slot(first);
    Block *head = block("list"), *inside = block("element"), *done = block("listed");
    jump(head);
    at(head);
    Value* x = get(variable);
    branch(exists(x), inside, done);
    at(inside);
    body(x);
    set(variable, field(event(x), next_field));
    jump(head);
    at(done);
  }

  // for (i = from; i < to; i += by) body(i)
  template <class Body>
  void for_range(Value* from, Value* to, unsigned by, Body&& body) {
    llvm::AllocaInst* variable = slot(from);
    Block *head = block("range"), *inside = block("index"), *done = block("ranged");
    jump(head);
    at(head);
    Value* i = get(variable);
    branch(ir.CreateICmpULT(i, to), inside, done);
    at(inside);
    body(i);
    set(variable, ir.CreateAdd(i, llvm::ConstantInt::get(i->getType(), by)));
    jump(head);
    at(done);
  }

  // for (i = 0; i < stride; i += 8) body(i), with 64-bit numbers: views are at least 8 numbers long.
  template <class Body>
  void for_eights(Body&& body) {
    llvm::AllocaInst* variable = slot(ir.getInt64(0));
    Block *inside = block("eight"), *done = block("eighths");
    jump(inside);
    at(inside);
    Value* i = get(variable);
    body(i);
    Value* next = ir.CreateAdd(i, ir.getInt64(8));
    set(variable, next);
    branch(ir.CreateICmpULT(next, wide(stride_)), inside, done);
    at(done);
  }

  // --- values ---
  llvm::AllocaInst* slot(llvm::Type* type);
  llvm::AllocaInst* slot(Value* initial);
  Value* get(llvm::AllocaInst* variable) { return ir.CreateLoad(variable->getAllocatedType(), variable); }
  void set(llvm::AllocaInst* variable, Value* value) { ir.CreateStore(value, variable); }
  llvm::ConstantInt* number(std::uint32_t value) { return ir.getInt32(value); }
  Value* wide(Value* value) { return ir.CreateZExt(value, ir.getInt64Ty()); }
  Value* exists(Value* event) { return ir.CreateICmpNE(event, number(0xffffffff)); }
  Value* same(Value* a, Value* b) { return ir.CreateICmpEQ(a, b); }
  Value* below(Value* a, Value* b) { return ir.CreateICmpULT(a, b); }
  // The 32-bit element of an array that never changes, or may.
  Value* element(Value* array, Value* index) { return fixed(ir.getInt32Ty(), element_address(array, index)); }
  Value* element_address(Value* array, Value* index) { return ir.CreateGEP(ir.getInt32Ty(), array, wide(index)); }
  Value* number_at(Value* address) { return ir.CreateLoad(ir.getInt32Ty(), address); }

  // --- the graph ---
  EventRef event(Value* id);
  Value* field(const EventRef& event, std::size_t offset) { return fixed(ir.getInt32Ty(), byte(event.memory, offset)); }
  Value* labels(const EventRef& event);
  Value* thread(const EventRef& event);
  Value* index(const EventRef& event);
  Value* thread_count();
  Value* thread_events(Value* thread);  // the array of ids
  Value* thread_size(Value* thread);
  Value* last_write(Value* location);
  Value* stride() { return stride_; }
  Value* views_of(Value* event);                 // all views of an event
  Value* view_in(Value* views, unsigned which);  // one of them
  // Is the event (not an initial write) in the view?
  Value* contains(Value* view, const EventRef& event) {
    return below(index(event), number_at(element_address(view, thread(event))));
  }

  // --- scratch ---
  Value *marks = nullptr, *stack = nullptr, *lowest = nullptr;
  Value* new_search();  // its number

  // Goes on only if the labels pass the guard; `among` is what they can be.
  void require_labels(const EventRef& event, const automata::Guard& guard, const LabelSet& among, Block* otherwise);

 private:
  Value* byte(Value* pointer, std::size_t offset) {
    return ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), pointer, offset);
  }
  Value* fixed(llvm::Type* type, Value* address);
  Value* thread_record(Value* thread);

  Block* entry_ = nullptr;
  std::vector<llvm::AllocaInst*> slots_;
  Value *events_ = nullptr, *views_ = nullptr, *threads_ = nullptr, *locations_ = nullptr, *stride_ = nullptr,
        *row_size_ = nullptr;
};

}  // namespace heddle::consistency::native
