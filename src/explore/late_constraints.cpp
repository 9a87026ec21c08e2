// Models with late parts: constraints and rules that no automaton can follow while an execution grows, and that may
// hold for an execution but not for its beginning. The exploration follows the rest of the model; the late parts judge
// every execution at its end, and it counts only if they allow it.
//
// Errors. An error that is met while the execution grows is reported if the late constraints allow the graph as it is.
// Otherwise what the other threads still do may make it allowed: the thread stops where it is, the others go on, and
// the error is reported if the execution is allowed at its end. Races, reads of uninitialised memory and accesses that
// are not ordered before a release stop no thread: they are looked for at the end only.
#include <algorithm>

#include "consistency/check_full.h"
#include "explore/search.h"

namespace heddle::explore {

// True if the error cannot be reported yet; its thread then waits for the end of the execution.
bool Search::postpone(PostponedError error) {
  if (execution_ended_ || consistency::late_constraints_hold(model_, graph_)) return false;
  Slot slot = slots_[error.thread];
  slot.readiness = Readiness::never;
  put(error.thread, slot);
  record_change(TrailEntry::Kind::postponed, error.thread);
  postponed_errors_.push_back(std::move(error));
  return postponed_ = true;
}

// Events are being cut: what an error depended on may be among them. The threads meet it again if not.
void Search::wake_postponed(std::uint32_t first_slot) {
  for (const PostponedError& error : postponed_errors_) {
    if (!is_stopped_at(error)) continue;
    save_slot(error.thread, first_slot);
    Slot slot = slots_[error.thread];
    slot.readiness = slot.node->readiness;
    put(error.thread, slot);
  }
}

bool Search::is_stopped_at(const PostponedError& error) const {
  const Slot& slot = slots_[error.thread];
  return slot.alive && slot.node == error.node && slot.readiness == Readiness::never &&
         slot.node->readiness != Readiness::never;
}

// The execution has ended and is allowed. Is a thread stopped at an error?
bool Search::report_late_errors() {
  bool stopped = false;
  for (auto error = postponed_errors_.rbegin(); error != postponed_errors_.rend() && !stop_; ++error) {
    // A thread that stopped more than once on the way here is told of once, as it is now.
    const auto newer = [&](const PostponedError& other) { return other.thread == error->thread; };
    if (!is_stopped_at(*error) || std::any_of(postponed_errors_.rbegin(), error, newer)) continue;
    stopped = true;
    report(error->kind, error->message, error->thread, error->position, error->address, error->size, error->events);
  }
  if (!stop_) report_late_memory_errors();
  if (!stop_ && options_given_.race_detection) report_late_races();
  return stopped;
}

void Search::report_late_races() {
  for (const auto& violation : consistency::violations(model_, graph_)) {
    const Action& action = action_of(violation.second);
    const std::string message = message_of(*violation.rule);
    const std::vector<EventId> events{violation.second, violation.first};
    const ThreadId t = graph_[violation.second].thread;
    if (violation.rule->warning)
      warn(ErrorKind::race, message, t, action, events);
    else
      report(ErrorKind::race, message, t, action.position, action.address, action.size, events);
    if (stop_) return;
  }
}

void Search::report_late_memory_errors() {
  for (const EventId e : events_by_stamp()) {
    const graph::Event& event = graph_[e];
    const Action& action = action_of(e);
    if (event.kind == EventKind::release)
      check_no_later_use(e, *objects_.nearest(action.address));
    else if (event.kind == EventKind::read && !action.block_operation && reads_uninitialised(event))
      report(ErrorKind::uninitialized, "read of uninitialised memory", event.thread, action.position, action.address,
             action.size, {e});
    if (stop_) return;
  }
}

}  // namespace heddle::explore
