// Explorations that lead nowhere (thesis 7.3): a thread has read a value for which it stops at once, and will never
// read another.
//
// A read whose source was not the newest write when the read got it is fixed. A revisit takes back only what is maximal
// (revisit.cpp): what reads the newest of the writes that were there before it or that the revisiting write depends on.
// Both contain the write that was newer. If the thread then stops right after the read, at an assumption that does not
// hold or in a loop that has come round, it stays there in every graph that is explored from here. None of them is
// complete. Nor do they hide errors: nothing in them depends on that read, so whatever the other threads do, they also
// do where the read reads what extensibility prescribes, and that branch is always explored.
//
// The thesis annotates loads with the condition under which they block. There is no need to: the state in which the
// thread parks for each value is known (thread_history.h), and it says whether the thread goes on.
//
// The thread may have read more since, if that is frozen (freezing writes of the thesis): the newest write of a
// location that nobody will ever write again. Which locations these are is found out while exploring: as many writes as
// there ever were at most, and if there are more after all, the exploration starts again and knows better. Nothing of
// another thread may have come between the fixed read and the last one: else a revisit of that could take a frozen read
// back together with the write it reads, and the thread might read something else the next time. (So the thesis'
// condition, which only looks at the thread itself, is not enough.)
//
// Not futile: an execution that a bound cuts off, because that has to be said. With constraints that are judged late, a
// graph that extensibility promises may turn out to be forbidden.
// Tested by the cross-check and by spin_loops, which compare with ExploreOptions::prune_futile off.
#include "explore/search.h"

namespace heddle::explore {

bool Search::is_futile(EventId r) {
  const ThreadId t = graph_[r].thread;
  const Action& action = slots_[t].node->action;
  if (!prune_futile_ || (!waits_in_loop(action) && action.kind != ActionKind::block)) return false;
  // From the thread's last read back to one that is fixed.
  EventId fixed = r;
  if (!is_fixed(r) && (!freezes_ || r != graph_.newest())) return false;
  while (!is_fixed(fixed)) {
    const graph::Event& event = graph_[fixed];
    const bool may_be_frozen = event.kind == EventKind::fence || (event.kind == EventKind::read && !event.determined);
    if (!may_be_frozen || event.older == no_event || graph_[event.older].thread != t) return false;
    fixed = event.older;
  }
  for (EventId e = r; e != fixed; e = graph_[e].older)
    if (graph_[e].kind == EventKind::read && !is_frozen(e)) return false;
  if (waits_in_loop(action)) {
    if (spins_for_ever(t, nullptr)) return false;  // what is old was read before: that is an error of this execution
    count_loop_wait(action);
  }
  ++result_.futile;
  return true;
}

bool Search::is_fixed(EventId e) const {
  const graph::Event& event = graph_[e];
  return event.kind == EventKind::read && !event.determined &&
         event.reads_from != graph_.location(event.location).last_write;
}

// Has its location all the writes that it ever gets?
bool Search::is_frozen(EventId read) {
  const bytecode::Address address = action_of(read).address;
  const unsigned writes = count_writes(graph_[read].location);
  if (writes < hints_.writes_expected(address, writes)) return false;
  written_for_good_.insert(address);
  return true;
}

unsigned Search::count_writes(LocationId location) const {
  unsigned count = 0;
  for (EventId w = graph_.location(location).last_write; w != no_event; w = graph_[w].previous_write) ++count;
  return count;
}

// One more than was thought possible: what was taken for futile may not have been.
void Search::note_write(EventId w) {
  const bytecode::Address address = action_of(w).address;
  if (written_for_good_.contains(address) && hints_.learn_writes(address, count_writes(graph_[w].location)))
    throw RestartWithHints{};
}

}  // namespace heddle::explore
