// See the header. Every case has its counterpart in neighbours.h; random graphs compare the two (native_code_test.cpp).
#include "consistency/native/step_emitter.h"

#include <cstddef>

#include "graph/event.h"

namespace heddle::consistency::native {

using automata::Step;
using automata::StepKind;
using graph::Event;
using Block = FunctionEmitter::Block;

bool leads_to_one(Step step) {
  switch (step.kind) {
    case StepKind::po_imm:
    case StepKind::co_imm:
    case StepKind::rmw:
    case StepKind::tc:
    case StepKind::tj: return true;
    case StepKind::rf:
    case StepKind::rfe:
    case StepKind::rfi: return step.inverse;
    case StepKind::fr_imm: return !step.inverse;
    default: return false;
  }
}

namespace {

// Keeps only neighbours of other threads (external) or of the same one.
StepEmitter::Visit within(FunctionEmitter& f, const EventRef& x, bool external, const StepEmitter::Visit& visit) {
  return [&f, x, external, visit](llvm::Value* y) {
    llvm::Value* same = f.same(f.thread(x), f.thread(f.event(y)));
    f.when(external ? f.ir.CreateNot(same) : same, [&] { visit(y); });
  };
}

// Can another event have x in a view? Not if x is the last of its thread and neither read from nor a partner.
llvm::Value* leads_on(FunctionEmitter& f, const EventRef& x) {
  llvm::Value* later = f.below(f.ir.CreateAdd(f.index(x), f.number(1)), f.thread_size(f.thread(x)));
  llvm::Value* linked =
      f.exists(f.ir.CreateAnd(f.field(x, offsetof(Event, first_reader)), f.field(x, offsetof(Event, partner))));
  return f.ir.CreateOr(later, linked);
}

void if_exists(FunctionEmitter& f, llvm::Value* y, const StepEmitter::Visit& visit) {
  f.when(f.exists(y), [&] { visit(y); });
}

}  // namespace

void StepEmitter::neighbours(FunctionEmitter& f, Step step, const EventRef& x, const LabelSet& labels,
                             const Visit& visit) {
  const auto in_thread = [&](auto&& body) {  // initial writes belong to none
    if (labels.may_pass({graph::label_initial, graph::label_initial}))
      f.when(f.exists(f.thread(x)), body);
    else
      body();
  };
  const auto reads_from = [&](const Visit& each) {
    if (step.inverse)
      if_exists(f, f.field(x, offsetof(Event, reads_from)), each);
    else
      f.for_list(f.field(x, offsetof(Event, first_reader)), offsetof(Event, next_reader), each);
  };
  switch (step.kind) {
    case StepKind::po_imm: return in_thread([&] { program_order(f, step.inverse, x, visit); });
    case StepKind::po_loc: return in_thread([&] { thread_part(f, step.inverse, true, x, visit); });
    case StepKind::po_other: return in_thread([&] { thread_part(f, step.inverse, false, x, visit); });
    case StepKind::rf: return reads_from(visit);
    case StepKind::rfe: return reads_from(within(f, x, true, visit));
    case StepKind::rfi: return reads_from(within(f, x, false, visit));
    case StepKind::co_imm:
    case StepKind::coe:
    case StepKind::coi: return coherence(f, step, x, visit);
    case StepKind::fr_imm:
    case StepKind::fre:
    case StepKind::fri: return from_reads(f, step, x, visit);
    case StepKind::rmw:
    case StepKind::tc:
    case StepKind::tj: return if_exists(f, f.field(x, offsetof(Event, partner)), visit);
    case StepKind::loc: return location(f, x, visit);
    case StepKind::view_first:
    case StepKind::view_all:
    case StepKind::view_loc:
    case StepKind::view_other:
      return in_thread([&] {
        if (step.inverse) return view(f, step, x, visit);
        f.when(leads_on(f, x), [&] { view(f, step, x, visit); });
      });
  }
}

void StepEmitter::program_order(FunctionEmitter& f, bool before, const EventRef& x, const Visit& visit) {
  Value *thread = f.thread(x), *index = f.index(x);
  Value* at = before ? f.ir.CreateSub(index, f.number(1)) : f.ir.CreateAdd(index, f.number(1));
  Value* inside = before ? f.ir.CreateICmpNE(index, f.number(0)) : f.below(at, f.thread_size(thread));
  f.when(inside, [&] { visit(f.element(f.thread_events(thread), at)); });
}

void StepEmitter::thread_part(FunctionEmitter& f, bool before, bool same, const EventRef& x, const Visit& visit) {
  Value *thread = f.thread(x), *index = f.index(x), *location = f.field(x, offsetof(Event, location));
  Value* events = f.thread_events(thread);
  Value* from = before ? f.number(0) : f.ir.CreateAdd(index, f.number(1));
  Block* enough = only_first ? f.block("enough") : nullptr;
  only_first = false;
  const auto all = [&] {
    f.for_range(from, before ? index : f.thread_size(thread), 1, [&](Value* i) {
      Value* y = f.element(events, i);
      Value* at_location = f.same(f.field(f.event(y), offsetof(Event, location)), location);
      // An event without a location is never at the same location as another.
      if (!same) at_location = f.ir.CreateNot(f.ir.CreateAnd(at_location, f.exists(location)));
      f.when(at_location, [&] {
        visit(y);
        if (enough == nullptr) return;
        f.jump(enough);
        f.at(f.block("unreached"));
      });
    });
  };
  if (same)
    f.when(f.exists(location), all);
  else
    all();
  if (enough == nullptr) return;
  f.jump(enough);
  f.at(enough);
}

void StepEmitter::coherence(FunctionEmitter& f, Step step, const EventRef& x, const Visit& visit) {
  const std::size_t next = step.inverse ? offsetof(Event, previous_write) : offsetof(Event, next_write);
  if (step.kind == StepKind::co_imm) return if_exists(f, f.field(x, next), visit);
  f.for_list(f.field(x, next), next, within(f, x, step.kind == StepKind::coe, visit));
}

void StepEmitter::from_reads(FunctionEmitter& f, Step step, const EventRef& x, const Visit& visit) {
  const bool immediate = step.kind == StepKind::fr_imm;
  const Visit each = immediate ? visit : within(f, x, step.kind == StepKind::fre, visit);
  const auto readers = [&](Value* w) {
    f.for_list(f.field(f.event(w), offsetof(Event, first_reader)), offsetof(Event, next_reader), each);
  };
  if (step.inverse) {
    Value* previous = f.field(x, offsetof(Event, previous_write));
    if (immediate) return if_exists(f, previous, readers);
    return f.for_list(previous, offsetof(Event, previous_write), readers);
  }
  if_exists(f, f.field(x, offsetof(Event, reads_from)), [&](Value* source) {
    Value* next = f.field(f.event(source), offsetof(Event, next_write));
    if (immediate) return if_exists(f, next, each);
    f.for_list(next, offsetof(Event, next_write), each);
  });
}

void StepEmitter::location(FunctionEmitter& f, const EventRef& x, const Visit& visit) {
  Value* location = f.field(x, offsetof(Event, location));
  f.when(f.exists(location), [&] {
    f.for_list(f.last_write(location), offsetof(Event, previous_write), [&](Value* w) {
      visit(w);
      f.for_list(f.field(f.event(w), offsetof(Event, first_reader)), offsetof(Event, next_reader), visit);
    });
  });
}

void StepEmitter::view(FunctionEmitter& f, Step step, const EventRef& x, const Visit& visit) {
  Value *thread = f.thread(x), *location = f.field(x, offsetof(Event, location));
  Value* own = step.inverse ? f.view_in(f.views_of(x.id), step.view) : nullptr;
  f.for_range(f.number(0), f.thread_count(), 1, [&](Value* t) {
    Value *from = f.number(0), *to = nullptr;
    if (step.inverse) {
      to = f.ir.CreateSelect(f.same(t, thread), f.index(x), f.number_at(f.element_address(own, t)));
    } else {
      from = first_that_sees(f, step.view, x, t);
      to = f.thread_size(t);
    }
    if (step.kind == StepKind::view_first) {
      Value* at = step.inverse ? f.ir.CreateSub(to, f.number(1)) : from;
      f.when(f.below(from, to), [&] { visit(f.element(f.thread_events(t), at)); });
      return;
    }
    f.for_range(from, to, 1, [&](Value* i) {
      Value* y = f.element(f.thread_events(t), i);
      if (step.kind == StepKind::view_all) return visit(y);
      Value* same =
          f.ir.CreateAnd(f.same(f.field(f.event(y), offsetof(Event, location)), location), f.exists(location));
      f.when(step.kind == StepKind::view_loc ? same : f.ir.CreateNot(same), [&] { visit(y); });
    });
  });
}

llvm::Value* StepEmitter::first_that_sees(FunctionEmitter& f, unsigned view, const EventRef& x, Value* t) {
  // Events far down usually see nothing new: most searches end after looking at the last event.
  llvm::AllocaInst* result = f.slot(f.ir.getInt32Ty());
  Block *own = f.block("own"), *other = f.block("other"), *look = f.block("look"), *search = f.block("search"),
        *done = f.block("seen");
  Value* size = f.thread_size(t);
  f.set(result, size);
  f.branch(f.same(t, f.thread(x)), own, other);
  f.at(own);
  f.set(result, f.ir.CreateAdd(f.index(x), f.number(1)));
  f.jump(done);
  f.at(other);
  f.branch(f.ir.CreateICmpNE(size, f.number(0)), look, done);
  f.at(look);
  Value* last = f.element(f.thread_events(t), f.ir.CreateSub(size, f.number(1)));
  Value* knows = f.number_at(f.element_address(f.view_in(f.views_of(last), view), f.thread(x)));
  f.branch(f.below(f.index(x), knows), search, done);
  f.at(search);
  f.set(result, f.ir.CreateCall(bisection(view), {f.memory, f.scratch, x.id, t}));
  f.jump(done);
  f.at(done);
  return f.get(result);
}

// The search itself, for an event of another thread that the last event of t sees.
llvm::Function* StepEmitter::bisection(unsigned view) {
  llvm::Function*& made = bisections_[view];
  if (made != nullptr) return made;
  FunctionEmitter f(module_, "first_that_sees_" + std::to_string(view), views_, true, 1);
  Value* t = f.function->getArg(3);
  const EventRef x = f.event(f.e);
  Value *thread = f.thread(x), *index = f.index(x), *events = f.thread_events(t);
  llvm::AllocaInst* low = f.slot(f.number(0));
  llvm::AllocaInst* high = f.slot(f.ir.CreateSub(f.thread_size(t), f.number(1)));
  Block *head = f.block("bisect"), *inside = f.block("half"), *seen = f.block("seen"), *unseen = f.block("unseen"),
        *done = f.block("done");
  f.jump(head);
  f.at(head);
  f.branch(f.below(f.get(low), f.get(high)), inside, done);
  f.at(inside);
  Value* middle = f.ir.CreateLShr(f.ir.CreateAdd(f.get(low), f.get(high)), 1);
  Value* knows = f.number_at(f.element_address(f.view_in(f.views_of(f.element(events, middle)), view), thread));
  f.branch(f.below(index, knows), seen, unseen);
  f.at(seen);
  f.set(high, middle);
  f.jump(head);
  f.at(unseen);
  f.set(low, f.ir.CreateAdd(middle, f.number(1)));
  f.jump(head);
  f.at(done);
  f.ir.CreateRet(f.get(low));
  f.finish();
  return made = f.function;
}

}  // namespace heddle::consistency::native
