// Loops that come back to where they were without having changed anything (Opcode::watch_loop).
//
// Such an iteration can be left out of any execution: the thread is in the same state before and after it, and nobody
// else can tell. So the thread stops there, and what happens if the loop ends is found in the executions in which its
// reads read something else (thesis 7.2: the iteration becomes an assumption that it is the last one).
//
// Two earlier visits to the head of a loop are kept in the thread's frame, in registers that no instruction uses: the
// last one, and one that is moved on at visits 1, 2, 4, 8, ..., so that loops that take several rounds to come back are
// found too (Brent's cycle detection). A snapshot is: the number of the thread's effects so far (plus 1; 0: none) and
// of its updates, its actions so far, its private state (counted), and the values of the registers that are alive
// there. The slots after the snapshots count the visits since the second one was moved, and hold after how many it
// moves on.
//
// An iteration may also have changed something and changed it back: taken a lock and freed it, added one and subtracted
// it (thesis 7.2.6). Whether anybody can have noticed is for the explorer to say (explore/undone.cpp): the machine
// yields `round`, and goes on with the loop when it is told to.
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

enum Slot : std::uint32_t { effects_slot, actions_slot, private_slot, values_slot };

PrivateState* private_state_in(std::uint64_t slot) { return reinterpret_cast<PrivateState*>(slot); }

std::uint64_t both(std::uint32_t effects, std::uint32_t updates) {
  return std::uint64_t{updates} << 32 | (std::uint64_t{effects} + 1);
}

bool matches(const bytecode::WatchedLoop& loop, const std::uint64_t* snapshot, const std::uint64_t* registers,
             const PrivateState& own) {
  for (std::size_t i = 0; i < loop.live.size(); ++i)
    if (snapshot[values_slot + i] != registers[loop.live[i]]) return false;
  return private_state_in(snapshot[private_slot])->same_contents(own);
}

}  // namespace

bool Machine::Implementation::perform_watch(ThreadState& state, Action& action, const Instruction& instruction) {
  const bytecode::WatchedLoop& loop = state.frame_->function->loops[instruction.a];
  if (!options_.watch_loops && loop.waits_for.empty()) return false;
  const bool told_to_go_on = state.phase_ != 0;
  state.phase_ = 0;
  std::uint64_t* registers = own_frame(state)->registers();
  std::uint64_t* const last = registers + loop.snapshots;
  std::uint64_t* const anchor = last + loop.snapshot_slots();
  const std::uint64_t now = both(state.effects_, state.updates_);
  for (const std::uint64_t* snapshot : {last, anchor}) {
    if (told_to_go_on) break;
    const bool spins = snapshot[effects_slot] == now;
    const bool goes_round = options_.undone_updates &&
                            static_cast<std::uint32_t>(snapshot[effects_slot]) == static_cast<std::uint32_t>(now);
    if (!(spins || goes_round) || !matches(loop, snapshot, registers, *state.private_)) continue;
    place(state, action, spins ? ActionKind::spin : ActionKind::round);
    action.iteration = state.actions_ - static_cast<std::uint32_t>(snapshot[actions_slot]);
    return true;
  }
  const auto take = [&](std::uint64_t* snapshot) {
    snapshot[effects_slot] = now;
    snapshot[actions_slot] = state.actions_;
    ++state.private_->references;
    PrivateState::release(private_state_in(snapshot[private_slot]));
    snapshot[private_slot] = reinterpret_cast<std::uintptr_t>(state.private_);
    for (std::size_t i = 0; i < loop.live.size(); ++i) snapshot[values_slot + i] = registers[loop.live[i]];
  };
  take(last);
  std::uint64_t& visits = *(anchor + loop.snapshot_slots());
  std::uint64_t& interval = *(anchor + loop.snapshot_slots() + 1);
  if (visits++ < interval) return false;
  take(anchor);
  visits = 0;
  interval = interval == 0 ? 1 : 2 * interval;
  return false;
}

// An update that writes the value it has read, as test-and-set does on a lock that is held: nobody can tell it from
// none. If the thread is going to spin right after it, there is no need for the write.
void Machine::Implementation::consider_rewriting(ThreadState& state, Action& action) {
  if (options_.rewriting_has_effect || !options_.watch_loops) return;
  const bool updates = action.access == AccessKind::rmw || action.access == AccessKind::compare_exchange;
  if (!updates || !(state.scratch_ == action.value)) return;
  state.parked_at_ = Effect::none;
  ThreadState ahead = state;
  Action next;
  advance(ahead, Value{});
  run(ahead, next);
  if (next.kind != ActionKind::spin) return;
  state.swap(ahead);
  action = next;
}

// Frames share private states through snapshots: called when a frame is copied (+1) or goes away (-1).
void count_snapshots(Frame& frame, int change) noexcept {
  for (const bytecode::WatchedLoop& loop : frame.function->loops) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t snapshot = loop.snapshots + i * loop.snapshot_slots();
      PrivateState* state = private_state_in(frame.registers()[snapshot + private_slot]);
      if (state == nullptr) continue;
      if (change > 0)
        ++state->references;
      else
        PrivateState::release(state);
    }
  }
}

// Could another thread notice the action, or its own thread later on? Reading, ordering, choosing and printing leave
// everything as it was, and a thread that spins stays where it is.
Effect effect_of(const Action& action) {
  switch (action.kind) {
    case ActionKind::read:
    case ActionKind::fence:
    case ActionKind::choose:
    case ActionKind::print:
    case ActionKind::spin: return Effect::none;
    case ActionKind::round: return Effect::silent;
    case ActionKind::write:
      switch (action.access) {
        case AccessKind::rmw:
        case AccessKind::compare_exchange:
        case AccessKind::add_between:
        case AccessKind::lock:
        case AccessKind::trylock:
        case AccessKind::unlock: return Effect::update;
        default: return Effect::lasting;
      }
    default: return Effect::lasting;
  }
}

}  // namespace heddle::machine
