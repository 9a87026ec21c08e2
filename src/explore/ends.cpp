// The ends of threads, and joining them.
//
// Every execution ends with them, and most of them nobody needs: no access depends on the end of a thread that nobody
// has joined, nor on a join after which the main thread only joins others and ends. Such ends are idle. They become
// events only for whoever wants to see the whole execution (add_idle_ends): a record of it, an error, a deadlock.
// A thread whose next action is to end counts as ended; its end becomes an event when it is joined. What the main
// thread does after a join is looked up in its history, which knows it from earlier executions.
//
// Neither ends nor joins have alternatives, so that the exploration takes the same choices in the same order.
// ExploreOptions::idle_ends switches all this off; the cross-check compares.
#include <algorithm>

#include "explore/search.h"

namespace heddle::explore {

bool Search::add_finish(ThreadId t) {
  HistoryNode& node = *slots_[t].node;
  if (!node.prepared) prepare(node);
  checker_->update_views(add(t));
  Slot& slot = slots_[t];
  ready_.change(t, slot.readiness, Readiness::ended);
  slot.readiness = Readiness::ended;
  slot.finished = true;
  return true;
}

// Not if all it does then is to join others, and end or wait for one that has not ended. Whatever is wrong with a join
// is left to add_join.
bool Search::find_join_due() {
  HistoryNode* node = slots_[0].node;
  if (node->leads_on) return true;  // nearly always, then; and events that stay in the graph need not come back
  const auto not_due = [this] {
    not_due_ = slots_[0].node;
    not_due_since_ = ends_;
    return false;
  };
  const std::size_t known = std::min<std::size_t>(slots_.size(), 64);
  std::uint64_t joined = 0;
  do {
    const ThreadId target = node->action.target;
    if (target >= known) return true;
    const Slot& slot = slots_[target];
    const std::uint64_t bit = std::uint64_t{1} << target;
    if (!slot.alive || (joined & bit) != 0 || detached_[target] || target == 0) return true;
    if (!slot.node->at_end) return not_due();
    if (slot.finished && was_joined(target)) return true;
    joined |= bit;
    node = history_.remembered_next(*node, slot.node->action.value);
    if (node == nullptr) return true;
  } while (node->action.kind == ActionKind::join);
  if (node->at_end) return not_due();
  for (HistoryNode* join = slots_[0].node; join != node;) {
    join->leads_on = true;
    join = history_.next(*join, slots_[join->action.target].node->action.value);
  }
  return true;
}

// Makes events of the ends and joins that were left out.
void Search::add_idle_ends() {
  if (!idle_ends_) return;
  const ThreadId turn = last_thread_;
  for (ThreadId t = 1; t < slots_.size(); ++t)
    if (slots_[t].alive && slots_[t].node->at_end && !slots_[t].finished) add_finish(t);
  while (slots_[0].readiness == Readiness::waits && slots_[0].node->action.kind == ActionKind::join) {
    const ThreadId target = slots_[0].node->action.target;
    if (target >= slots_.size() || !slots_[target].finished || detached_[target] || was_joined(target)) break;
    HistoryNode& node = *slots_[0].node;
    if (!node.prepared) prepare(node);
    add_join(0);
  }
  last_thread_ = turn;
}

bool Search::add_join(ThreadId t) {
  if (t != 0) add_idle_ends();  // two may want to join the same thread: the main thread was first
  const Action& action = slots_[t].node->action;
  const ThreadId target = action.target;
  const bool fine = target < slots_.size() && slots_[target].alive && slots_[target].node->at_end && target != t &&
                    !detached_[target] && !was_joined(target);
  if (!fine) {
    const char* misuse = "join of a thread that was joined before";
    if (target >= slots_.size() || !slots_[target].alive)
      misuse = "join of a thread that does not exist";
    else if (target == t)
      misuse = "a thread joins itself";
    else if (detached_[target])
      misuse = "join of a detached thread";
    report(ErrorKind::thread_misuse, misuse, t, action.position);
    return false;
  }
  if (!slots_[target].finished) add_finish(target);
  ++ends_;
  const EventId e = add(t);
  const EventId end = graph_.last_of(target);
  const Value value = graph_[end].value;
  graph_.make_partners(e, end);
  graph_[e].value = value;
  checker_->update_views(e);
  last_thread_ = t;
  arrive_at(t, history_.next(*slots_[t].node, value));
  return true;
}

}  // namespace heddle::explore
