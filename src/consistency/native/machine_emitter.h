// Writes an automaton's walk over the graph as code: one place in the code for every state, guards as constants, and a
// stack of pairs (event, state) that remain to be visited. Pairs are numbers: the event's id shifted by `bits`, and the
// state. A pair is marked with the number of the search when it is put on the stack.
//
// Steps to many events (to all later ones at another location, ...) would make a walk quadratic if every event of a
// thread took them. Events that can add nothing to what an earlier one reaches do not take them; three cases:
//  * Transitive: who was reached by the step, in the state he was reached from, reaches nothing that way that the first
//    one did not. Such events get the mark `covered`.
//  * The state is kept along program order: the event before x takes the same step to all but those at its own
//  location,
//    and if that is another one than x's, the two together reach everything after x. Then x gets the mark `full`, and
//    so do those after it.
//  * Only views leave the new state, to states that are kept along program order: the first event reached sees least.
#pragma once

#include <functional>
#include <vector>

#include "consistency/native/function_emitter.h"
#include "consistency/native/step_emitter.h"

namespace heddle::consistency::native {

struct MachineRow {
  automata::Step step;
  automata::Guard source, target;  // asked of the event before and after the step
  std::uint32_t to = 0;
  bool goal_only = false;  // counts only if it leads to the goal of the search
};

struct Machine {
  explicit Machine(std::uint32_t states) : rows(states), final(states, false), free(states, false) {}
  std::vector<std::vector<MachineRow>> rows;  // by the state they leave
  std::vector<bool> final;  // states that are worth reaching although nothing leaves them
  std::vector<bool> free;  // states in which a walk may start at any event
  unsigned bits() const;  // of a pair, for the state and further marks
  std::uint32_t covered(std::uint32_t state) const { return static_cast<std::uint32_t>(rows.size()) + 2 * state; }
  std::uint32_t full(std::uint32_t state) const { return covered(state) + 1; }
};

class MachineEmitter {
 public:
  using Value = llvm::Value;
  using Block = FunctionEmitter::Block;
  struct Hooks {
    // Before a pair is marked; may jump to `skip`. Returns false if the step ends here and nothing is to be pushed.
    std::function<bool(const MachineRow& row, const EventRef& y, Value* pair, Block* skip)> before;
    // After a pair was marked for the first time in this search.
    std::function<void(const MachineRow& row, const EventRef& y, Value* pair)> after;
  };

  MachineEmitter(FunctionEmitter& f, StepEmitter& steps, const Machine& machine, const LabelSet& program, Hooks hooks);

  llvm::AllocaInst* search = nullptr;  // number of the search: to be set before every start
  Block* pop = nullptr;  // takes the next pair; jumps to `exhausted` when there is none
  Block* exhausted = nullptr;

  void forget_stack() { f_.set(top_, f_.stack); }
  void set_stack(Value* top) { f_.set(top_, top); }
  Value* stack_top() { return f_.get(top_); }
  // Jumps into the state, at event x, with what is on the stack.
  void start(std::uint32_t state, Value* x);
  // The steps of one state, for an event whose labels are among these; goes on after them. Only pushes.
  void steps_of(std::uint32_t state, const EventRef& x, const LabelSet& labels) { groups(state, x, labels, false); }
  // Writes the code of all states but `except` and of the loop; leaves the builder nowhere.
  void write_states(std::uint32_t except = 0xffffffff);
  // What the labels of an event in this state can be.
  const LabelSet& possible(std::uint32_t state) const { return possible_[state]; }

 private:
  void groups(std::uint32_t state, const EventRef& x, const LabelSet& labels, bool may_jump);
  void group(std::uint32_t state, const std::vector<MachineRow>& rows, const EventRef& x, const LabelSet& labels,
             bool may_jump);
  void take(const MachineRow& row, Value* y, bool jump, std::uint32_t covering);
  bool kept_along_program_order(std::uint32_t state) const;
  bool first_is_enough(std::uint32_t state) const;
  Value* mark_of(Value* event, std::uint32_t slot);
  void skip_if_covered(std::uint32_t state, const EventRef& x, Block* done);
  void skip_if_full(std::uint32_t state, const EventRef& x, Block* done);
  LabelSet arriving(const MachineRow& row) const;  // labels with which the row's step is worth taking

  FunctionEmitter& f_;
  StepEmitter& steps_;
  const Machine& machine_;
  const LabelSet& program_;
  Hooks hooks_;
  unsigned bits_;
  llvm::AllocaInst *x_ = nullptr, *top_ = nullptr;
  std::vector<Block*> blocks_;
  std::vector<LabelSet> possible_, useful_;
};

}  // namespace heddle::consistency::native
