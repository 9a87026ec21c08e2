// See the header. Tested in native_code_test.cpp against the tables and check_full.
//
// Cycles: for every state q that the event can be in, a search starts at (e, q) and ends when it is back. Pairs that an
// earlier search has seen need not be seen again unless that search came by e in another state: only then can they lead
// to a goal that it did not look for.
#include "consistency/native/consistent_emitter.h"

#include <algorithm>
#include <deque>

#include "consistency/native/cycle_filter_emitter.h"
#include "consistency/native/machine_emitter.h"

namespace heddle::consistency::native {

using automata::Nfa;
using relation::ConstraintKind;

namespace {

using Value = llvm::Value;
using Block = llvm::BasicBlock;

Machine plain_machine(const Nfa& nfa) {
  Machine machine(nfa.states);
  for (const automata::Transition& t : nfa.transitions)
    machine.rows[t.from].push_back({t.step, t.source, t.target, t.to, false});
  return machine;
}

// Every state twice: before and after the circle's state was passed. With `once`, it may be passed only at the end.
Machine marked_machine(const Nfa& nfa, bool once) {
  Machine machine(nfa.states * 2);
  for (const automata::Transition& t : nfa.transitions) {
    for (std::uint32_t passed = 0; passed < 2; ++passed) {
      const bool passes = t.to == nfa.initial;
      machine.rows[t.from * 2 + passed].push_back(
          {t.step, t.source, t.target, t.to * 2 + (passes ? 1 : passed), once && passes && passed == 1});
    }
  }
  return machine;
}

bool is_marked(const SpecialisedConstraint& constraint) {
  return constraint.kind == ConstraintKind::irreflexive || constraint.marked;
}

Machine machine_of(const SpecialisedConstraint& constraint) {
  return is_marked(constraint) ? marked_machine(constraint.automaton, constraint.kind == ConstraintKind::irreflexive)
                               : plain_machine(constraint.automaton);
}

// From (e, start) back to (e, goal).
struct Try {
  std::uint32_t start, goal;
};

// One function that answers 0 if a constraint is broken.
class ConsistentEmitter {
 public:
  ConsistentEmitter(llvm::Module& module, const std::string& name, bool internal, StepEmitter& steps,
                    const CodeRequest& request)
      : program_(request.model.labels.empty() ? LabelSet() : LabelSet(request.model.labels)),
        steps_(steps),
        f_(module, name, request.views, internal),
        broken_(f_.block("broken")) {}

  void constraint(const SpecialisedConstraint& constraint) {
    switch (constraint.kind) {
      case ConstraintKind::acyclic:
      case ConstraintKind::irreflexive: return cycle(constraint);
      case ConstraintKind::empty: return walk(constraint);
    }
  }

  // Goes on only if there may be a cycle; `exact`: then there is one that is forbidden.
  void filter(bool exact) {
    Block *found = f_.block("cycle"), *none = f_.block("none");
    emit_cycle_filter(f_, program_, exact ? broken_ : found, none);
    f_.at(none);
    f_.give(1);
    f_.at(found);
    if (exact) f_.ir.CreateUnreachable();
  }

  void finish(unsigned answer) {
    f_.give(answer);
    finish_broken();
  }
  // The rest of the answer is that of another function.
  void finish_with(llvm::Function* other) {
    llvm::CallInst* call = f_.ir.CreateCall(other, {f_.memory, f_.scratch, f_.e});
    call->setTailCall();
    f_.ir.CreateRet(call);
    finish_broken();
  }
  void finish_broken() {
    f_.at(broken_);
    f_.give(0);
    f_.finish();
  }
  llvm::Function* function() const { return f_.function; }

  void empty_words(const SpecialisedConstraint& constraint) {
    for (const automata::Guard& guard : constraint.automaton.empty_word) {
      Block* otherwise = f_.block("nonempty");
      f_.require_labels(f_.event(f_.e), guard, program_, otherwise);
      f_.jump(broken_);
      f_.at(otherwise);
    }
  }

 private:
  // Goes on only if an event with the labels of e can be in the state.
  void require_possible(const LabelSet& possible, Block* otherwise) {
    if (!possible.known()) return;
    if (const auto guard = guard_for(possible, program_))
      return f_.require_labels(f_.event(f_.e), *guard, program_, otherwise);
    Block* fits = f_.block("fits");
    auto* choice = f_.ir.CreateSwitch(f_.labels(f_.event(f_.e)), otherwise);
    for (const graph::Labels labels : possible.labels())
      choice->addCase(f_.number(static_cast<std::uint32_t>(labels)), fits);
    f_.at(fits);
  }

  Value* pair_of_e(const Machine& machine, std::uint32_t state) {
    return f_.ir.CreateOr(f_.ir.CreateShl(f_.e, machine.bits()), f_.number(state));
  }

  void cycle(const SpecialisedConstraint& constraint) {
    const Nfa& nfa = constraint.automaton;
    const bool marked = is_marked(constraint);
    const Machine& machine = machines_.emplace_back(machine_of(constraint));
    std::vector<Try> tries;  // the circle's own state first: most cycles are found from there
    for (std::uint32_t i = 0; i < nfa.states; ++i) {
      const std::uint32_t q = i == 0 ? nfa.initial : i <= nfa.initial ? i - 1 : i;
      if (marked)
        tries.push_back({q * 2 + (q == nfa.initial ? 1u : 0u), q * 2 + 1});
      else
        tries.push_back({q, q});
    }
    llvm::AllocaInst* goal = f_.slot(f_.ir.getInt32Ty());
    llvm::AllocaInst* came_by = f_.slot(f_.ir.getInt32Ty());
    MachineEmitter::Hooks hooks;
    hooks.before = [&](const MachineRow& row, const EventRef&, Value* pair, Block* skip) {
      if (!row.goal_only) return true;
      f_.branch(f_.same(pair, f_.get(goal)), broken_, skip);
      f_.at(f_.block("unreached"));
      return false;
    };
    hooks.after = [&](const MachineRow&, const EventRef& y, Value* pair) {
      Block *back = f_.block("back"), *other = f_.block("another"), *further = f_.block("further");
      f_.branch(f_.same(y.id, f_.e), back, further);
      f_.at(back);
      f_.branch(f_.same(pair, f_.get(goal)), broken_, other);
      f_.at(other);
      f_.set(came_by, f_.number(1));
      f_.jump(further);
      f_.at(further);
    };
    MachineEmitter emitter(f_, steps_, machine, program_, hooks);
    std::erase_if(tries, [&](const Try& t) { return emitter.possible(t.goal).none(); });
    Block* done = f_.block("searched");
    llvm::AllocaInst* current = f_.slot(f_.ir.getInt32Ty());
    f_.set(emitter.search, f_.new_search());
    f_.set(came_by, f_.number(0));
    f_.jump(tries.empty() ? done : next_try(0));
    for (std::uint32_t i = 0; i < tries.size(); ++i) {
      f_.at(next_try(i));
      require_possible(emitter.possible(tries[i].goal), i + 1 < tries.size() ? next_try(i + 1) : done);
      if (i > 0) {
        const auto renew = [&] {
          f_.set(emitter.search, f_.new_search());
          f_.set(came_by, f_.number(0));
        };
        if (marked)
          renew();
        else
          f_.when(f_.ir.CreateICmpNE(f_.get(came_by), f_.number(0)), renew);
      }
      f_.set(current, f_.number(i));
      f_.set(goal, pair_of_e(machine, tries[i].goal));
      emitter.forget_stack();
      emitter.start(tries[i].start, f_.e);
    }
    emitter.write_states();
    f_.at(emitter.exhausted);
    auto* choice = f_.ir.CreateSwitch(f_.get(current), done);
    for (std::uint32_t i = 0; i + 1 < tries.size(); ++i) choice->addCase(f_.number(i), next_try(i + 1));
    f_.at(done);
    try_blocks_.clear();
  }

  // A word of the relation that e is part of: for some state, e leads to the end and the beginning leads to e.
  void walk(const SpecialisedConstraint& constraint) {
    const Nfa& nfa = constraint.automaton;
    const Nfa reversed = automata::reverse(nfa);
    const std::uint32_t accepting = accepting_state(nfa), initial = nfa.initial;
    Machine& onward = machines_.emplace_back(plain_machine(nfa));
    Machine& backward = machines_.emplace_back(plain_machine(reversed));
    onward.final[accepting] = onward.free[initial] = true;
    backward.final[initial] = backward.free[accepting] = true;
    Block *reached = f_.block("reached"), *done = f_.block("searched");
    const auto stop_at = [&](std::uint32_t goal, Block* found) {
      return MachineEmitter::Hooks{[this, goal, found](const MachineRow& row, const EventRef&, Value*, Block*) {
                                     if (row.to != goal) return true;
                                     f_.jump(found);
                                     f_.at(f_.block("unreached"));
                                     return false;
                                   },
                                   nullptr};
    };
    MachineEmitter to_end(f_, steps_, onward, program_, stop_at(accepting, reached));
    MachineEmitter to_start(f_, steps_, backward, program_, stop_at(initial, broken_));
    llvm::AllocaInst* current = f_.slot(f_.ir.getInt32Ty());
    f_.jump(next_try(0));
    std::vector<Block*> back;
    for (std::uint32_t q = 0; q < nfa.states; ++q) {
      Block* otherwise = q + 1 < nfa.states ? next_try(q + 1) : done;
      f_.at(next_try(q));
      require_possible(to_end.possible(q), otherwise);
      require_possible(to_start.possible(q), otherwise);
      f_.set(current, f_.number(q));
      back.push_back(f_.block("backward"));
      if (q == accepting) {
        f_.jump(back[q]);
      } else {
        f_.set(to_end.search, f_.new_search());
        to_end.forget_stack();
        to_end.start(q, f_.e);
      }
      f_.at(back[q]);
      if (q == initial) {
        f_.jump(broken_);
      } else {
        f_.set(to_start.search, f_.new_search());
        to_start.forget_stack();
        to_start.start(q, f_.e);
      }
    }
    to_end.write_states();
    to_start.write_states();
    const auto choose = [&](Block* at, const auto& target) {
      f_.at(at);
      auto* choice = f_.ir.CreateSwitch(f_.get(current), done);
      for (std::uint32_t q = 0; q < nfa.states; ++q) choice->addCase(f_.number(q), target(q));
    };
    const auto next = [&](std::uint32_t q) { return q + 1 < nfa.states ? next_try(q + 1) : done; };
    choose(reached, [&](std::uint32_t q) { return back[q]; });
    choose(to_end.exhausted, next);
    choose(to_start.exhausted, next);
    f_.at(done);
    try_blocks_.clear();
  }

  Block* next_try(std::size_t i) {
    while (try_blocks_.size() <= i) try_blocks_.push_back(f_.block("try"));
    return try_blocks_[i];
  }

  LabelSet program_;
  StepEmitter& steps_;
  FunctionEmitter f_;
  Block* broken_;
  std::deque<Machine> machines_;
  std::vector<Block*> try_blocks_;
};

}  // namespace

namespace {

// Constraints that the filter answers in part, and all others.
struct Parts {
  explicit Parts(const CodeRequest& request) {
    for (const SpecialisedConstraint& constraint : request.model.constraints) {
      if (constraint.automaton.transitions.empty()) continue;
      (request.use_cycle_filter && constraint.filtered ? filtered : others).push_back(&constraint);
    }
    const LabelSet program = request.model.labels.empty() ? LabelSet() : LabelSet(request.model.labels);
    exact = std::any_of(filtered.begin(), filtered.end(), [&](const SpecialisedConstraint* constraint) {
      return forbids_every_cycle(*constraint, program);
    });
  }
  std::vector<const SpecialisedConstraint*> others, filtered;
  bool exact = false;  // every cycle that the filter finds is forbidden
};

}  // namespace

bool leaves_checks_open(const CodeRequest& request) {
  const Parts parts(request);
  return !parts.filtered.empty() && !parts.exact;
}

void emit_consistent(llvm::Module& module, StepEmitter& steps, const CodeRequest& request) {
  const Parts parts(request);
  ConsistentEmitter whole(module, consistent_name, false, steps, request);
  for (const SpecialisedConstraint& constraint : request.model.constraints) whole.empty_words(constraint);
  for (const SpecialisedConstraint* constraint : parts.others) whole.constraint(*constraint);
  if (parts.filtered.empty()) return whole.finish(1);
  whole.filter(parts.exact);
  if (parts.exact) return whole.finish_broken();
  if (!request.with_searches) return whole.finish(2);
  // What the filter leaves open is rare and large: in a function of its own it does not get in the filter's way.
  ConsistentEmitter rest(module, "heddle_search", true, steps, request);
  for (const SpecialisedConstraint* constraint : parts.filtered) rest.constraint(*constraint);
  rest.finish(1);
  whole.finish_with(rest.function());
}

unsigned marks_of_constraints(const SpecialisedModel& model) {
  unsigned result = 1;
  for (const SpecialisedConstraint& constraint : model.constraints) {
    const Nfa& nfa = constraint.automaton;
    result = std::max(result, 1u << machine_of(constraint).bits());
    if (constraint.kind == ConstraintKind::empty && !nfa.transitions.empty())
      result = std::max(result, 1u << plain_machine(automata::reverse(nfa)).bits());
  }
  return result;
}

unsigned searches_of_constraints(const SpecialisedModel& model) {
  unsigned result = 0;
  for (const SpecialisedConstraint& constraint : model.constraints) result += 2 * constraint.automaton.states + 1;
  return result;
}

}  // namespace heddle::consistency::native
