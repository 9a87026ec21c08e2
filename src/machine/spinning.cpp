// Loops that come back to where they were without having changed anything (Opcode::watch_loop).
//
// Such an iteration can be left out of any execution: the thread is in the same state before and after it, and nobody
// else can tell. So the thread stops there, and what happens if the loop ends is found in the executions in which its
// reads read something else (thesis 7.2: the iteration becomes an assumption that it is the last one).
//
// Two earlier visits to the head of a loop are kept in the thread's frame, in registers that no instruction uses: the
// last one, and one that is moved on at visits 1, 2, 4, 8, ..., so that loops that take several rounds to come back are
// found too (Brent's cycle detection). A snapshot is: the number of the thread's effects so far (plus 1; 0: none), its
// actions so far, its private state (counted), and the values of the registers that are alive there. The slots after
// the snapshots count the visits since the second one was moved, and hold after how many it moves on.
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

enum Slot : std::uint32_t { effects_slot, actions_slot, private_slot, values_slot };

PrivateState* private_state_in(std::uint64_t slot) { return reinterpret_cast<PrivateState*>(slot); }

bool matches(const bytecode::WatchedLoop& loop, const std::uint64_t* snapshot, const std::uint64_t* registers,
             std::uint32_t effects, const PrivateState& own) {
  if (snapshot[effects_slot] != std::uint64_t{effects} + 1) return false;
  for (std::size_t i = 0; i < loop.live.size(); ++i)
    if (snapshot[values_slot + i] != registers[loop.live[i]]) return false;
  return private_state_in(snapshot[private_slot])->same_contents(own);
}

}  // namespace

bool Machine::Implementation::perform_watch(ThreadState& state, Action& action, const Instruction& instruction) {
  const bytecode::WatchedLoop& loop = state.frame_->function->loops[instruction.a];
  if (!options_.watch_loops && loop.waits_for.empty()) return false;
  std::uint64_t* registers = own_frame(state)->registers();
  std::uint64_t* const last = registers + loop.snapshots;
  std::uint64_t* const anchor = last + loop.snapshot_slots();
  for (const std::uint64_t* snapshot : {last, anchor}) {
    if (!matches(loop, snapshot, registers, state.effects_, *state.private_)) continue;
    place(state, action, ActionKind::spin);
    action.iteration = state.actions_ - static_cast<std::uint32_t>(snapshot[actions_slot]);
    return true;
  }
  const auto take = [&](std::uint64_t* snapshot) {
    snapshot[effects_slot] = std::uint64_t{state.effects_} + 1;
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

// Reading, ordering, choosing and printing leave everything as it was, and a thread that spins stays where it is.
bool has_effect(ActionKind kind) {
  return kind != ActionKind::read && kind != ActionKind::fence && kind != ActionKind::choose &&
         kind != ActionKind::print && kind != ActionKind::spin;
}

}  // namespace heddle::machine
