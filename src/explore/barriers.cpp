// Barriers without an order of arrival (BAM, thesis 7.1): who arrives first makes no difference, so it is not explored.
//
// A wait is four events. Its thread *meets* those who are there already and *arrives*; when the round is complete, it
// *leaves* together with the others and *passes*. Meeting and leaving are events like a join, arriving and passing like
// the end of a thread, and they form one chain: each meet follows the arrival before it, each leave follows the last
// arrival or the pass before it.
//
//     arrive 1 -> meet 2, arrive 2 -> ... -> meet N, arrive N -> leave, pass -> leave, pass -> ...
//
// So everything before a round comes before everything after it, by means that every model knows (tj). The chain also
// orders arrivals among each other, and leaves; but nothing happens between an arrival and its leave, and what comes
// before an arrival comes before every leave anyway: which order the chain has cannot be told apart.
//
// This is right as long as at most as many threads use a barrier at a time as it is made for. If more do, which of them
// form a round is a choice, and the exploration starts again with the order of arrivals (RestartWithOrderedBarriers);
// also if the program looks at what pthread_barrier_wait returns, which depends on the order (see the machine).
#include "explore/search.h"

namespace heddle::explore {

// The last event of the chain that an arrival or pass belongs to.
EventId Search::end_of_chain(EventId e) const {
  while (graph_[e].partner != no_event) e = graph_.po_next(graph_[e].partner);
  return e;
}

// How many have arrived in the round of an arrival.
std::uint64_t Search::arrivals_in_round(EventId arrival) const {
  std::uint64_t count = 0;
  for (EventId e = end_of_chain(arrival); e != no_event; e = graph_[graph_.po_previous(e)].partner)
    if (action_of(e).kind == ActionKind::arrive) ++count;
  return count;
}

bool Search::round_is_complete(ThreadId t) const {
  return arrivals_in_round(graph_.last_of(t)) >= slots_[t].node->action.value.low;
}

bool Search::add_meeting(ThreadId t) {
  const Action& action = slots_[t].node->action;
  EventId last_arrival = no_event;
  const graph::ConstView before = graph_.view(0, graph_.last_of(t));
  for (ThreadId u = 0; u < graph_.thread_count(); ++u) {
    const auto events = graph_.events_of(u);
    for (std::size_t i = before[u]; i < events.size(); ++i) {
      const Action& other = action_of(events[i]);
      if (other.kind != ActionKind::arrive || other.address != action.address) continue;
      if (arrivals_in_round(events[i]) >= action.value.low) throw RestartWithOrderedBarriers{};
      last_arrival = end_of_chain(events[i]);
    }
  }
  const EventId e = add(t);
  graph_[e].partner = last_arrival;
  entered(e);
  checker_->update_views(e);
  go_on(t);
  return true;
}

bool Search::add_leave(ThreadId t) {
  const EventId last = end_of_chain(graph_.last_of(t));
  const EventId e = add(t);
  graph_[e].partner = last;
  entered(e);
  checker_->update_views(e);
  go_on(t);
  return true;
}

}  // namespace heddle::explore
