// See the header. Tested in native_code_test.cpp.
#include "consistency/native/machine_emitter.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "graph/event.h"

namespace heddle::consistency::native {

using automata::Guard;
using automata::StepKind;

namespace {

constexpr std::uint32_t nothing = 0xffffffff;
constexpr automata::Step next_step{StepKind::po_imm, false, 0};

bool transitive(automata::Step step) {
  switch (step.kind) {
    case StepKind::po_loc:
    case StepKind::loc:
    case StepKind::view_all:
    case StepKind::view_loc: return true;
    default: return false;
  }
}

// Only these need marks of their own.
bool leads_to_many(automata::Step step) { return transitive(step) || step.kind == StepKind::po_other; }

}  // namespace

unsigned Machine::bits() const {
  const bool many = std::any_of(rows.begin(), rows.end(), [](const auto& list) {
    return std::any_of(list.begin(), list.end(), [](const MachineRow& row) { return leads_to_many(row.step); });
  });
  const std::size_t slots = many ? 3 * rows.size() : rows.size();
  return slots <= 1 ? 0 : static_cast<unsigned>(std::bit_width(slots - 1));
}

MachineEmitter::MachineEmitter(FunctionEmitter& f, StepEmitter& steps, const Machine& machine, const LabelSet& program,
                               Hooks hooks)
    : f_(f), steps_(steps), machine_(machine), program_(program), hooks_(std::move(hooks)), bits_(machine.bits()) {
  search = f_.slot(f_.ir.getInt32Ty());
  x_ = f_.slot(f_.ir.getInt32Ty());
  top_ = f_.slot(f_.ir.getPtrTy());
  pop = f_.block("pop");
  exhausted = f_.block("exhausted");
  const std::size_t states = machine.rows.size();
  for (std::size_t s = 0; s < states; ++s) blocks_.push_back(f_.block("state"));
  for (std::size_t s = 0; s < states; ++s) {
    useful_.push_back(machine.final[s] ? program_ : program_.that([&](graph::Labels labels) {
      return std::any_of(machine.rows[s].begin(), machine.rows[s].end(), [&](const MachineRow& row) {
        return row.source.holds(labels) && automata::source_of(row.step).holds(labels);
      });
    }));
  }
  possible_.assign(states, program_.known() ? LabelSet(std::vector<graph::Labels>{}) : LabelSet());
  for (const auto& rows : machine.rows) {
    for (const MachineRow& row : rows) possible_[row.to] = possible_[row.to].united(arriving(row));
  }
  for (std::size_t s = 0; s < states; ++s)
    if (machine.free[s]) possible_[s] = program_;
}

LabelSet MachineEmitter::arriving(const MachineRow& row) const {
  const LabelSet& useful = useful_[row.to];
  return program_.that([&](graph::Labels labels) {
    return automata::target_of(row.step).holds(labels) && row.target.holds(labels) &&
           std::find(useful.labels().begin(), useful.labels().end(), labels) != useful.labels().end();
  });
}

void MachineEmitter::start(std::uint32_t state, Value* x) {
  f_.set(x_, x);
  f_.jump(blocks_[state]);
}

// Does (x, state) lead to (y, state) for every x and its successor y in program order?
bool MachineEmitter::kept_along_program_order(std::uint32_t state) const {
  const auto& rows = machine_.rows[state];
  return std::any_of(rows.begin(), rows.end(), [&](const MachineRow& row) {
    return row.step == next_step && row.to == state && !row.goal_only &&
           simplified(row.source, possible_[state]).trivial() && simplified(row.target, program_).trivial();
  });
}

// Is everything that (y, state) leads to also reached from (x, state), for every x before y in program order?
bool MachineEmitter::first_is_enough(std::uint32_t state) const {
  const auto& rows = machine_.rows[state];
  if (rows.empty() || machine_.final[state]) return false;
  return std::all_of(rows.begin(), rows.end(), [&](const MachineRow& row) {
    if (row.step.kind != StepKind::view_first || row.step.inverse || row.goal_only) return false;
    if (!simplified(row.source, program_).trivial()) return false;
    return std::any_of(rows.begin(), rows.end(), [&](const MachineRow& wide) {
      if (!(wide.step == row.step) || !simplified(wide.target, program_).trivial()) return false;
      if (!kept_along_program_order(wide.to)) return false;
      if (wide.to == row.to) return true;
      const auto& further = machine_.rows[wide.to];
      return std::any_of(further.begin(), further.end(), [&](const MachineRow& last) {
        return last.step == next_step && last.to == row.to && !last.goal_only &&
               simplified(last.source, program_).trivial() && last.target == row.target;
      });
    });
  });
}

MachineEmitter::Value* MachineEmitter::mark_of(Value* event, std::uint32_t slot) {
  return f_.element_address(f_.marks, f_.ir.CreateOr(f_.ir.CreateShl(event, bits_), f_.number(slot)));
}

void MachineEmitter::skip_if_covered(std::uint32_t state, const EventRef& x, Block* done) {
  f_.require(f_.ir.CreateICmpNE(f_.number_at(mark_of(x.id, machine_.covered(state))), f_.get(search)), done);
}

void MachineEmitter::skip_if_full(std::uint32_t state, const EventRef& x, Block* done) {
  Block *go_on = f_.block("first"), *later = f_.block("later"), *not_full = f_.block("partial"),
        *full = f_.block("full"), *both = f_.block("both"), *second = f_.block("second");
  Value *index = f_.index(x), *now = f_.get(search);
  f_.branch(f_.ir.CreateICmpEQ(index, f_.number(0)), go_on, later);
  f_.at(later);
  const EventRef before = f_.event(f_.element(f_.thread_events(f_.thread(x)), f_.ir.CreateSub(index, f_.number(1))));
  Value* own = mark_of(x.id, machine_.full(state));
  f_.branch(f_.same(f_.number_at(mark_of(before.id, machine_.full(state))), now), full, not_full);
  f_.at(full);
  f_.ir.CreateStore(now, own);
  f_.jump(done);
  f_.at(not_full);
  f_.branch(f_.same(f_.number_at(mark_of(before.id, state)), now), both, go_on);
  f_.at(both);
  f_.branch(f_.same(f_.field(before, offsetof(graph::Event, location)), f_.field(x, offsetof(graph::Event, location))),
            done, second);
  f_.at(second);
  f_.ir.CreateStore(now, own);
  f_.jump(go_on);
  f_.at(go_on);
}

void MachineEmitter::take(const MachineRow& row, Value* y_id, bool jump, std::uint32_t covering) {
  Block* skip = f_.block("skip");
  const EventRef y = f_.event(y_id);
  const LabelSet among = program_.that(automata::target_of(row.step));
  if (program_.known()) {
    const LabelSet wanted = arriving(row);
    if (wanted.none()) return f_.jump(skip), f_.at(skip);
    const std::optional<Guard> exact = guard_for(wanted, among);
    f_.require_labels(y, exact ? *exact : row.target, among, skip);
  } else {
    f_.require_labels(y, row.target, among, skip);
  }
  if (covering != nothing) f_.ir.CreateStore(f_.get(search), mark_of(y.id, covering));
  Value* pair = bits_ == 0 ? y.id : f_.ir.CreateOr(f_.ir.CreateShl(y.id, bits_), f_.number(row.to));
  if (!hooks_.before || hooks_.before(row, y, pair, skip)) {
    Value* mark = f_.element_address(f_.marks, pair);
    Value* now = f_.get(search);
    f_.require(f_.ir.CreateICmpNE(f_.number_at(mark), now), skip);
    f_.ir.CreateStore(now, mark);
    if (hooks_.after) hooks_.after(row, y, pair);
    if (jump) {
      start(row.to, y.id);
      return f_.at(skip);
    }
    Value* top = f_.get(top_);
    f_.ir.CreateStore(pair, top);
    f_.set(top_, f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, 1));
  }
  f_.jump(skip);
  f_.at(skip);
}

void MachineEmitter::group(std::uint32_t state, const std::vector<MachineRow>& rows, const EventRef& x,
                           const LabelSet& labels, bool may_jump) {
  Block* done = f_.block("done");
  const LabelSet able = labels.that(automata::source_of(rows[0].step));
  const auto passing = [&](const MachineRow& row) { return able.that(row.source); };
  const bool alike = std::all_of(rows.begin(), rows.end(), [&](const MachineRow& row) {
    return able.known() ? passing(row).labels() == passing(rows[0]).labels() : row.source == rows[0].source;
  });
  f_.require_labels(x, automata::source_of(rows[0].step), labels, done);
  if (alike) f_.require_labels(x, rows[0].source, able, done);
  const automata::Step step = rows[0].step;
  // Of a final state nothing is known: what it leads to is not walked.
  const bool walked = !machine_.final[state] && std::none_of(rows.begin(), rows.end(), [&](const MachineRow& row) {
    return machine_.final[row.to] || row.goal_only;
  });
  const bool covers = walked && alike && transitive(step) &&
                      std::any_of(rows.begin(), rows.end(), [&](const MachineRow& row) { return row.to == state; });
  if (covers) skip_if_covered(state, x, done);
  const bool later = step == automata::Step{StepKind::po_other, false, 0};
  const bool unguarded = alike && simplified(rows[0].source, possible_[state]).trivial();
  if (walked && later && unguarded && kept_along_program_order(state)) skip_if_full(state, x, done);
  steps_.only_first = walked && later && std::all_of(rows.begin(), rows.end(), [&](const MachineRow& row) {
                        return simplified(row.target, program_).trivial() && first_is_enough(row.to);
                      });
  steps_.neighbours(f_, step, x, alike ? passing(rows[0]) : able, [&](Value* y) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool jump = may_jump && i + 1 == rows.size() && leads_to_one(rows[i].step) && !rows[i].goal_only;
      const std::uint32_t covering = covers && rows[i].to == state ? machine_.covered(state) : nothing;
      if (alike) {
        take(rows[i], y, jump, covering);
        continue;
      }
      Block* next = f_.block("next");
      f_.require_labels(x, rows[i].source, able, next);
      take(rows[i], y, jump, covering);
      f_.jump(next);
      f_.at(next);
    }
  });
  f_.jump(done);
  f_.at(done);
}

void MachineEmitter::groups(std::uint32_t state, const EventRef& x, const LabelSet& labels, bool may_jump) {
  std::vector<MachineRow> rows = machine_.rows[state];
  std::erase_if(rows, [&](const MachineRow& row) {
    return labels.that(automata::source_of(row.step)).that(row.source).none() || arriving(row).none();
  });
  // Steps to one event last: the very last of them needs no stack. A step back to the same state is the most frequent.
  const auto rank = [&](const MachineRow& row) { return leads_to_one(row.step) ? row.to == state ? 2 : 1 : 0; };
  std::vector<std::vector<MachineRow>> by_step;
  for (const MachineRow& row : rows) {
    const auto same =
        std::find_if(by_step.begin(), by_step.end(), [&](const auto& g) { return g[0].step == row.step; });
    if (same == by_step.end())
      by_step.push_back({row});
    else
      same->push_back(row);
  }
  for (auto& group : by_step)
    std::stable_sort(group.begin(), group.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  std::stable_sort(by_step.begin(), by_step.end(),
                   [&](const auto& a, const auto& b) { return rank(a.back()) < rank(b.back()); });
  for (std::size_t i = 0; i < by_step.size(); ++i)
    group(state, by_step[i], x, labels, may_jump && i + 1 == by_step.size());
}

void MachineEmitter::write_states(std::uint32_t except) {
  const std::size_t states = machine_.rows.size();
  for (std::uint32_t s = 0; s < states; ++s) {
    f_.at(blocks_[s]);
    if (s == except) {
      f_.ir.CreateUnreachable();
      continue;
    }
    groups(s, f_.event(f_.get(x_)), possible_[s], true);
    f_.jump(pop);
  }
  f_.at(pop);
  Block* next = f_.block("next");
  Value* top = f_.get(top_);
  f_.branch(f_.same(top, f_.stack), exhausted, next);
  f_.at(next);
  Value* at = f_.ir.CreateConstGEP1_64(f_.ir.getInt32Ty(), top, -1);
  f_.set(top_, at);
  Value* pair = f_.number_at(at);
  f_.set(x_, bits_ == 0 ? pair : f_.ir.CreateLShr(pair, bits_));
  if (bits_ == 0) {
    f_.jump(blocks_[0]);
  } else {
    Block* nowhere = f_.block("nowhere");
    auto* to = f_.ir.CreateSwitch(f_.ir.CreateAnd(pair, f_.number((1u << bits_) - 1)), nowhere);
    for (std::uint32_t s = 0; s < states; ++s)
      if (s != except) to->addCase(f_.number(s), blocks_[s]);
    f_.at(nowhere);
    f_.ir.CreateUnreachable();
  }
}

}  // namespace heddle::consistency::native
