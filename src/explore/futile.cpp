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
// Not futile: an execution that a bound cuts off, because that has to be said. With constraints that are judged late, a
// graph that extensibility promises may turn out to be forbidden.
// Tested by the cross-check and by spin_loops, which compare with ExploreOptions::prune_futile off.
#include "explore/search.h"

namespace heddle::explore {

bool Search::is_futile(EventId r) {
  const graph::Event& read = graph_[r];
  if (!prune_futile_ || read.determined) return false;
  if (read.reads_from == graph_.location(read.location).last_write) return false;
  const Action& action = slots_[read.thread].node->action;
  if (waits_in_loop(action)) count_loop_wait(action);
  if (!waits_in_loop(action) && action.kind != ActionKind::block) return false;
  ++result_.futile;
  return true;
}

}  // namespace heddle::explore
