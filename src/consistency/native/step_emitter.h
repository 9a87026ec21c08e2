// Code that visits the events one step of an automaton leads to: neighbours.h, but written into compiled code.
#pragma once

#include <functional>
#include <map>

#include "automata/nfa.h"
#include "consistency/native/function_emitter.h"

namespace heddle::consistency::native {

// Does the step lead to at most one event?
bool leads_to_one(automata::Step step);

class StepEmitter {
 public:
  explicit StepEmitter(llvm::Module& module, unsigned views) : module_(module), views_(views) {}

  // Visits every y with x -step-> y. x has passed the guard of source_of(step); `labels` is what its labels can be.
  using Visit = std::function<void(llvm::Value* y)>;
  bool only_first = false;  // of the next po_other step, stop at the first event that it leads to
  void neighbours(FunctionEmitter& f, automata::Step step, const EventRef& x, const LabelSet& labels,
                  const Visit& visit);

 private:
  using Value = llvm::Value;
  void program_order(FunctionEmitter& f, bool before, const EventRef& x, const Visit& visit);
  void thread_part(FunctionEmitter& f, bool before, bool same, const EventRef& x, const Visit& visit);
  void coherence(FunctionEmitter& f, automata::Step step, const EventRef& x, const Visit& visit);
  void from_reads(FunctionEmitter& f, automata::Step step, const EventRef& x, const Visit& visit);
  void location(FunctionEmitter& f, const EventRef& x, const Visit& visit);
  void view(FunctionEmitter& f, automata::Step step, const EventRef& x, const Visit& visit);
  // Index in thread t of the first event after x whose view contains x.
  Value* first_that_sees(FunctionEmitter& f, unsigned view, const EventRef& x, Value* t);
  llvm::Function* bisection(unsigned view);

  llvm::Module& module_;
  const unsigned views_;
  std::map<unsigned, llvm::Function*> bisections_;  // by view
};

}  // namespace heddle::consistency::native
