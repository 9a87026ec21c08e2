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

  // On the stack: parts of threads that were newly reached, as thread, first index, and index where the part ends.
  void write() {
    causes_ = f_.view_in(f_.views_of(f_.e), 0);
    llvm::Constant* none_yet = llvm::Constant::getAllOnesValue(llvm::FixedVectorType::get(f_.ir.getInt32Ty(), 8));
    f_.for_eights([&](Value* t) {
      f_.ir.CreateAlignedStore(none_yet, f_.ir.CreateGEP(f_.ir.getInt32Ty(), f_.lowest, t), llvm::Align(4));
    });
    const EventRef start = f_.event(f_.e);
    top_ = f_.slot(f_.stack);
    llvm::AllocaInst* thread = f_.slot(f_.thread(start));
    llvm::AllocaInst* from = f_.slot(f_.index(start));
    llvm::AllocaInst* to = f_.slot(f_.number(0xffffffff));
    llvm::AllocaInst* at = f_.slot(f_.ir.getPtrTy());
    f_.ir.CreateStore(f_.index(start), f_.element_address(f_.lowest, f_.thread(start)));

    // A part is never empty: it begins with an event that was reached.
    Block *part = f_.block("part"), *inside = f_.block("event"), *next = f_.block("next"), *pop = f_.block("pop"),
          *popped = f_.block("popped");
    f_.jump(part);
    f_.at(part);
    Value *events = f_.thread_events(f_.get(thread)), *size = f_.thread_size(f_.get(thread));
    Value* end = f_.element_address(events, f_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umin, f_.get(to), size));
    f_.set(at, f_.element_address(events, f_.get(from)));
    f_.jump(inside);
    f_.at(inside);
    const EventRef x = f_.event(f_.number_at(f_.get(at)));
    f_.set(at, entry(f_.get(at), 1));
    leave(x, next);
    f_.at(next);
    f_.branch(f_.same(f_.get(at), end), pop, inside);

    f_.at(pop);
    Value* top = f_.get(top_);
    f_.branch(f_.same(top, f_.stack), none_, popped);
    f_.at(popped);
    f_.set(top_, entry(top, -3));
    f_.set(thread, f_.number_at(entry(top, -3)));
    f_.set(from, f_.number_at(entry(top, -2)));
    f_.set(to, f_.number_at(entry(top, -1)));
    f_.jump(part);
  }

 private:
  // Everything that x leads to in other ways than by program order.
  void leave(const EventRef& x, Block* done) {
    LabelSet left = labels_;
    constexpr graph::Labels leading =
        graph::label_read | graph::label_write | graph::label_create | graph::label_finish;
    Value* leads = f_.ir.CreateAnd(f_.labels(x), f_.number(leading));
    f_.require(f_.ir.CreateICmpNE(leads, f_.number(0)), done);
    const auto among = [&](graph::Labels label, const auto& body) {
      if (!left.may_pass({label, label})) return;
      Block* other = f_.block("otherwise");
      f_.require_labels(x, {label, label}, left, other);
      body();
      f_.jump(done);
      f_.at(other);
      left = left.that(Guard{label, 0});
    };
    among(graph::label_read, [&] {
      if_any(f_.field(x, offsetof(Event, reads_from)), [&](Value* source) {
        if_any(f_.field(f_.event(source), offsetof(Event, next_write)), [&](Value* w) { reach(w); });
      });
    });
    among(graph::label_write, [&] {
      if_any(f_.field(x, offsetof(Event, next_write)), [&](Value* w) { reach(w); });
      f_.for_list(f_.field(x, offsetof(Event, first_reader)), offsetof(Event, next_reader),
                  [&](Value* r) { reach_reader(r); });
    });
    if_any(f_.field(x, offsetof(Event, partner)), [&](Value* y) { reach(y); });  // creates and ends
    f_.jump(done);
  }

  template <class Body>
  void if_any(Value* x, Body&& body) {
    f_.when(f_.exists(x), [&] { body(x); });
  }

  // No way leads into an initial write, so x is none. If x causes e, there is a cycle.
  void reach(Value* x_id) {
    const EventRef x = f_.event(x_id);
    check(x);
    reach_from(f_.thread(x), f_.index(x));
  }

  // The same for a reader of a write that is being left: what the reader leads to by from-reads is reached anyway, so
  // that only what comes after it in its thread is new.
  void reach_reader(Value* x_id) {
    const EventRef x = f_.event(x_id);
    check(x);
    Value *thread = f_.thread(x), *after = f_.ir.CreateAdd(f_.index(x), f_.number(1));
    f_.when(f_.below(after, f_.thread_size(thread)), [&] { reach_from(thread, after); });
  }

  void check(const EventRef& x) {
    Block* further = f_.block("further");
    f_.branch(f_.below(f_.index(x), f_.number_at(f_.element_address(causes_, f_.thread(x)))), found_, further);
    f_.at(further);
  }

  void reach_from(Value* thread, Value* index) {
    Value* mark = f_.element_address(f_.lowest, thread);
    Value* low = f_.number_at(mark);
    f_.when(f_.below(index, low), [&] {
      f_.ir.CreateStore(index, mark);
      Value* top = f_.get(top_);
      f_.ir.CreateStore(thread, top);
      f_.ir.CreateStore(index, entry(top, 1));
      f_.ir.CreateStore(low, entry(top, 2));
      f_.set(top_, entry(top, 3));
    });
  }

  Value* entry(Value* top, std::int64_t offset) {
    return f_.ir.CreateGEP(f_.ir.getInt32Ty(), top, f_.ir.getInt64(static_cast<std::uint64_t>(offset)));
  }

  FunctionEmitter& f_;
  LabelSet labels_;
  Block *found_, *none_;
  Value* causes_ = nullptr;
  llvm::AllocaInst* top_ = nullptr;
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
