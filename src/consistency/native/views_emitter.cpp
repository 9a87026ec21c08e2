// See the header. Tested in native_code_test.cpp against the tables and check_full.
#include "consistency/native/views_emitter.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>

#include <llvm/IR/MDBuilder.h>

#include "consistency/native/machine_emitter.h"
#include "consistency/views.h"
#include "graph/event.h"

namespace heddle::consistency::native {

using automata::Guard;
using graph::Event;

namespace {

using Value = llvm::Value;
using Block = llvm::BasicBlock;

constexpr Guard of_label(graph::Labels label) { return {label, label}; }

Machine machine_of(const BackwardTable& table) {
  Machine machine(table.states);
  for (std::uint32_t s = 0; s < table.states; ++s) {
    for (std::uint32_t i = table.first[s]; i < table.first[s + 1]; ++i) {
      const BackwardTable::Row& row = table.rows[i];
      machine.rows[s].push_back({row.step, row.target, row.source, row.from, false});
    }
  }
  machine.final[table.initial] = true;
  return machine;
}

// One view of the model: its automaton, and where the code goes on after its walk.
struct ViewWalk {
  unsigned number = 0;
  BackwardTable table;
  Machine machine{0};
  std::unique_ptr<MachineEmitter> emitter;
  std::vector<Block*> returns;  // by the number of the walk's call
};

class ViewsEmitter {
 public:
  ViewsEmitter(llvm::Module& module, StepEmitter& steps, const CodeRequest& request)
      : model_(request.model),
        program_(model_.labels.empty() ? LabelSet() : LabelSet(model_.labels)),
        steps_(steps),
        f_(module, update_views_name, request.views, false),
        eight_(llvm::FixedVectorType::get(f_.ir.getInt32Ty(), 8)) {}

  void write() {
    event_ = f_.event(f_.e);
    own_ = f_.views_of(f_.e);
    call_ = f_.slot(f_.ir.getInt32Ty());
    prepare_walks();
    inherit();
    if (program_.known()) {
      by_labels();
    } else {
      one_kind(program_);
    }
    for (ViewWalk& walk : walks_) {
      walk.emitter->write_states(walk.table.initial);
      f_.at(walk.emitter->exhausted);
      Block* nowhere = f_.block("nowhere");
      auto* back = f_.ir.CreateSwitch(f_.get(call_), nowhere);
      for (std::uint32_t i = 0; i < walk.returns.size(); ++i) back->addCase(f_.number(i), walk.returns[i]);
      f_.at(nowhere);
      f_.ir.CreateUnreachable();
    }
    f_.finish();
  }

 private:
  // The views of the predecessor in program order, and the event itself.
  void inherit() {
    Value *index = f_.index(event_), *thread = f_.thread(event_);
    Block *first = f_.block("first"), *later = f_.block("later"), *inherited = f_.block("inherited");
    f_.branch(f_.ir.CreateICmpEQ(index, f_.number(0)), first, later);
    f_.at(first);
    each_eight(f_.views, [&](Value* i) { store(own_, i, llvm::Constant::getNullValue(eight_)); });
    f_.jump(inherited);
    f_.at(later);
    Value* before = f_.views_of(f_.element(f_.thread_events(thread), f_.ir.CreateSub(index, f_.number(1))));
    each_eight(f_.views, [&](Value* i) { store(own_, i, load(before, i)); });
    f_.jump(inherited);
    f_.at(inherited);
    Value* count = f_.ir.CreateAdd(index, f_.number(1));
    for (unsigned v = 0; v < f_.views; ++v) f_.ir.CreateStore(count, f_.element_address(f_.view_in(own_, v), thread));
  }

  // Labels that the model treats alike share their code.
  void by_labels() {
    Block* unknown = f_.block("unknown");
    auto* kind = f_.ir.CreateSwitch(f_.labels(event_), unknown);
    std::vector<std::uint32_t> weights{0};  // atomic accesses are what programs are about
    f_.at(unknown);
    f_.give(0);
    std::map<std::vector<std::uint32_t>, std::vector<graph::Labels>> kinds;
    for (const graph::Labels labels : program_.labels()) kinds[treatment(labels)].push_back(labels);
    for (const auto& [treated, labels] : kinds) {
      Block* at = f_.block("kind");
      for (const graph::Labels one : labels) {
        kind->addCase(f_.number(static_cast<std::uint32_t>(one)), at);
        weights.push_back(one & graph::label_atomic ? 64 : 1);
      }
      f_.at(at);
      one_kind(LabelSet(labels));
    }
    kind->setMetadata(llvm::LLVMContext::MD_prof, llvm::MDBuilder(f_.ir.getContext()).createBranchWeights(weights));
  }

  // What happens to an event with these labels, as numbers that can be compared.
  std::vector<std::uint32_t> treatment(graph::Labels labels) const {
    std::vector<std::uint32_t> result;
    for (const graph::Labels label : {graph::label_read, graph::label_begin, graph::label_join})
      result.push_back((labels & label) != 0);
    for (const ViewWalk& walk : walks_) {
      for (const MachineRow& row : walk.machine.rows[walk.table.initial])
        result.push_back(row.source.holds(labels) && automata::source_of(row.step).holds(labels));
    }
    return result;
  }

  void one_kind(const LabelSet& labels) {
    const auto if_label = [&](graph::Labels label, const auto& body) {
      if (!labels.may_pass(of_label(label))) return;
      Block* otherwise = f_.block("otherwise");
      f_.require_labels(event_, of_label(label), labels, otherwise);
      body();
      f_.jump(otherwise);
      f_.at(otherwise);
    };
    if_label(graph::label_read, [&] {
      Block* nothing = f_.block("nothing");
      Value* source = f_.field(event_, offsetof(Event, reads_from));
      f_.require(f_.exists(source), nothing);
      f_.require(f_.exists(f_.thread(f_.event(source))), nothing);  // not an initial write
      join(own_, f_.views_of(source));
      f_.jump(nothing);
      f_.at(nothing);
    });
    for (const graph::Labels label : {graph::label_begin, graph::label_join}) {
      if_label(label, [&] {
        Value* partner = f_.field(event_, offsetof(Event, partner));
        f_.when(f_.exists(partner), [&] {
          Value* other = f_.views_of(partner);
          join(own_, other);
          for (const ViewWalk& walk : walks_) {
            if (label == graph::label_begin ? walk.table.created : walk.table.joined)
              join(f_.view_in(own_, walk.number), f_.view_in(other, walk.number));
          }
        });
      });
    }
    for (ViewWalk& walk : walks_) run(walk, labels);
    f_.give(1);
  }

  void run(ViewWalk& walk, const LabelSet& labels) {
    const auto& rows = walk.machine.rows[walk.table.initial];
    bool any = false, pushes = false;
    for (const MachineRow& row : rows) {
      if (labels.that(automata::source_of(row.step)).that(row.source).none()) continue;
      any = true;
      if (row.to != walk.table.initial) pushes = true;
    }
    if (!any) return;
    if (pushes) {
      f_.set(walk.emitter->search, f_.new_search());
      walk.emitter->forget_stack();
    }
    walk.emitter->steps_of(walk.table.initial, event_, labels);
    if (!pushes) return;
    f_.set(call_, f_.number(static_cast<std::uint32_t>(walk.returns.size())));
    walk.returns.push_back(f_.block("walked"));
    f_.jump(walk.emitter->pop);
    f_.at(walk.returns.back());
  }

  void prepare_walks() {
    for (unsigned v = 1; v < model_.views.size(); ++v) {
      if (model_.views[v].states == 0) continue;
      ViewWalk& walk = walks_.emplace_back();
      walk.number = v;
      walk.table = BackwardTable(model_.views[v]);
      walk.machine = machine_of(walk.table);
    }
    for (ViewWalk& walk : walks_) {
      MachineEmitter::Hooks hooks;
      hooks.before = [this, &walk](const MachineRow& row, const EventRef& y, Value*, Block* skip) {
        return reach(walk, row, y, skip);
      };
      walk.emitter = std::make_unique<MachineEmitter>(f_, steps_, walk.machine, program_, hooks);
    }
  }

  bool reach(const ViewWalk& walk, const MachineRow& row, const EventRef& y, Block* skip) {
    const LabelSet labels = program_.that(automata::target_of(row.step)).that(row.target);
    if (labels.may_pass(of_label(graph::label_initial))) f_.require(f_.exists(f_.thread(y)), skip);
    const BackwardTable& table = walk.table;
    Value* view = f_.view_in(own_, walk.number);
    if (row.to == table.initial) {
      f_.require(f_.ir.CreateNot(f_.contains(view, y)), skip);
      join(view, f_.view_in(f_.views_of(y.id), walk.number));
      return false;
    }
    if (table.only_program_order[row.to]) {
      f_.require(f_.ir.CreateNot(f_.contains(view, y)), skip);
    } else if (const auto& guard = table.also_end[row.to]) {
      Block *inside = f_.block("inside"), *outside = f_.block("outside");
      f_.branch(f_.contains(view, y), inside, outside);
      f_.at(inside);
      f_.require_labels(y, *guard, labels, outside);
      f_.jump(skip);
      f_.at(outside);
    }
    return true;
  }

  // Views are multiples of 8 numbers long, most often 8.
  template <class Body>
  void each_eight(unsigned count, Body&& body) {
    f_.for_eights([&](Value* i) {
      Value* from = count == 1 ? i : f_.ir.CreateMul(i, f_.ir.getInt64(count));
      for (unsigned k = 0; k < count; ++k) body(f_.ir.CreateAdd(from, f_.ir.getInt64(8 * k)));
    });
  }
  Value* address(Value* array, Value* i) { return f_.ir.CreateGEP(f_.ir.getInt32Ty(), array, i); }
  Value* load(Value* array, Value* i) { return f_.ir.CreateAlignedLoad(eight_, address(array, i), llvm::Align(4)); }
  void store(Value* array, Value* i, Value* numbers) {
    f_.ir.CreateAlignedStore(numbers, address(array, i), llvm::Align(4));
  }
  void join(Value* into, Value* from) {
    each_eight(1, [&](Value* i) {
      store(into, i, f_.ir.CreateBinaryIntrinsic(llvm::Intrinsic::umax, load(into, i), load(from, i)));
    });
  }

  const SpecialisedModel& model_;
  LabelSet program_;
  StepEmitter& steps_;
  FunctionEmitter f_;
  llvm::Type* eight_;
  EventRef event_;
  Value* own_ = nullptr;
  llvm::AllocaInst* call_ = nullptr;  // which call of a walk this is
  std::deque<ViewWalk> walks_;
};

}  // namespace

void emit_update_views(llvm::Module& module, StepEmitter& steps, const CodeRequest& request) {
  ViewsEmitter(module, steps, request).write();
}

unsigned marks_of_views(const SpecialisedModel& model) {
  unsigned result = 1;
  for (const automata::Nfa& circle : model.views) {
    if (circle.states > 0) result = std::max(result, 1u << machine_of(BackwardTable(circle)).bits());
  }
  return result;
}

}  // namespace heddle::consistency::native
