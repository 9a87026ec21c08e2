// See the header. Tested in native_code_test.cpp.
#include "consistency/native/cycle_filter_emitter.h"

#include <algorithm>
#include <cstddef>

#include "graph/event.h"

namespace heddle::consistency::native {

using automata::Guard;
using automata::Step;
using automata::StepKind;
using graph::Event;

namespace {

class FilterEmitter {
 public:
  using Value = llvm::Value;
  using Block = llvm::BasicBlock;

  FilterEmitter(FunctionEmitter& f, const LabelSet& program, Block* found, Block* none)
      : f_(f), found_(found), none_(none) {
    labels_ = program.that([](graph::Labels labels) { return !(labels & graph::label_initial); });
  }

  // A range is part of a thread that was newly reached: its first event, and the index where it ends.
  void write() {
    causes_ = f_.view_in(f_.views_of(f_.e), 0);
    auto* eight = llvm::FixedVectorType::get(f_.ir.getInt32Ty(), 8);
    f_.for_range(f_.number(0), f_.stride(), 8, [&](Value* t) {
      f_.ir.CreateAlignedStore(llvm::Constant::getAllOnesValue(eight), f_.element_address(f_.lowest, t),
                               llvm::Align(4));
    });
    top_ = f_.slot(f_.stack);
    event_ = f_.slot(f_.e);
    end_ = f_.slot(f_.number(0xffffffff));
    const EventRef start = f_.event(f_.e);
    f_.ir.CreateStore(f_.index(start), f_.element_address(f_.lowest, f_.thread(start)));

    Block *range = f_.block("part"), *head = f_.block("events"), *inside = f_.block("event"),
          *next = f_.block("popped");
    f_.jump(range);
    f_.at(range);
    const EventRef first = f_.event(f_.get(event_));
    Value *thread = f_.thread(first), *events = f_.thread_events(thread), *size = f_.thread_size(thread);
    Value* end = f_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, f_.get(end_), size);
    llvm::AllocaInst* at = f_.slot(f_.ir.getInt32Ty());
    f_.set(at, f_.index(first));
    f_.jump(head);
    f_.at(head);
    Value* i = f_.get(at);
    Block* taken = f_.block("taken");
    f_.branch(f_.below(i, end), inside, taken);
    f_.at(inside);
    f_.set(at, f_.ir.CreateAdd(i, f_.number(1)));
    leave(f_.event(f_.element(events, i)), head);

    f_.at(taken);
    Value* top = f_.get(top_);
    f_.branch(f_.same(top, f_.stack), none_, next);
    f_.at(next);
    Value* entry = f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, -2);
    f_.set(top_, entry);
    f_.set(event_, f_.number_at(entry));
    f_.set(end_, f_.number_at(f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, -1)));
    f_.jump(range);
  }

 private:
  // Everything that x leads to in other ways than by program order.
  void leave(const EventRef& x, Block* done) {
    const auto among = [&](graph::Labels label, const auto& body) {
      if (!labels_.may_pass({label, label})) return;
      Block* other = f_.block("otherwise");
      f_.require_labels(x, {label, label}, labels_, other);
      body();
      f_.jump(done);
      f_.at(other);
      labels_ = labels_.that(Guard{label, 0});
    };
    const LabelSet all = labels_;
    among(graph::label_read, [&] {
      reach_if_any(f_.field(x, offsetof(Event, reads_from)), [&](Value* source) {
        reach_if_any(f_.field(f_.event(source), offsetof(Event, next_write)), [&](Value* w) { reach(w); });
      });
    });
    among(graph::label_write, [&] {
      reach_if_any(f_.field(x, offsetof(Event, next_write)), [&](Value* w) { reach(w); });
      f_.for_list(f_.field(x, offsetof(Event, first_reader)), offsetof(Event, next_reader),
                  [&](Value* r) { reach(r); });
    });
    for (const graph::Labels label : {graph::label_create, graph::label_finish}) {
      among(label, [&] { reach_if_any(f_.field(x, offsetof(Event, partner)), [&](Value* y) { reach(y); }); });
    }
    f_.jump(done);
    labels_ = all;
  }

  template <class Body>
  void reach_if_any(Value* x, Body&& body) {
    f_.when(f_.exists(x), [&] { body(x); });
  }

  // No way leads into an initial write, so x is none. If x causes e, there is a cycle.
  void reach(Value* x_id) {
    const EventRef x = f_.event(x_id);
    Value *thread = f_.thread(x), *index = f_.index(x);
    Block *further = f_.block("further"), *seen = f_.block("seen");
    f_.branch(f_.below(index, f_.number_at(f_.element_address(causes_, thread))), found_, further);
    f_.at(further);
    Value* mark = f_.element_address(f_.lowest, thread);
    Value* low = f_.number_at(mark);
    f_.require(f_.below(index, low), seen);
    f_.ir.CreateStore(index, mark);
    Value* top = f_.get(top_);
    f_.ir.CreateStore(x_id, top);
    f_.ir.CreateStore(low, f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, 1));
    f_.set(top_, f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, 2));
    f_.jump(seen);
    f_.at(seen);
  }

  FunctionEmitter& f_;
  LabelSet labels_;
  Block *found_, *none_;
  Value* causes_ = nullptr;
  llvm::AllocaInst *top_ = nullptr, *event_ = nullptr, *end_ = nullptr;
};

}  // namespace

void emit_cycle_filter(FunctionEmitter& f, const LabelSet& program, llvm::BasicBlock* found, llvm::BasicBlock* none) {
  FilterEmitter(f, program, found, none).write();
}

bool forbids_every_cycle(const SpecialisedConstraint& constraint, const LabelSet& program) {
  if (constraint.kind != relation::ConstraintKind::acyclic || constraint.marked) return false;
  const automata::Nfa& nfa = constraint.automaton;
  const auto always = [&](const Guard& guard, const Guard& given) {
    return program.known() ? simplified(guard, program.that(given)).trivial() : automata::implies(given, guard);
  };
  const auto contains = [&](StepKind kind) {
    const Step step{kind, false, 0};
    if (program.that(automata::source_of(step)).none() || program.that(automata::target_of(step)).none()) return true;
    return std::any_of(nfa.transitions.begin(), nfa.transitions.end(), [&](const automata::Transition& t) {
      return t.from == nfa.initial && t.to == nfa.initial && t.step == step &&
             always(t.source, automata::source_of(step)) && always(t.target, automata::target_of(step));
    });
  };
  return contains(StepKind::po_imm) && contains(StepKind::rf) && contains(StepKind::co_imm) &&
         contains(StepKind::fr_imm) && contains(StepKind::tc) && contains(StepKind::tj);
}

}  // namespace heddle::consistency::native
