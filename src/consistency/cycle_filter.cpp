// See the header. Tested in random_graphs_test.cpp: checkers with and without it agree with check_full.
#include "consistency/cycle_filter.h"

#include <algorithm>

namespace heddle::consistency {

using graph::Event;
using graph::EventId;
using graph::EventKind;
using graph::no_event;

bool CycleFilter::applies_to(const automata::Nfa& nfa) {
  return std::all_of(nfa.transitions.begin(), nfa.transitions.end(), [](const automata::Transition& transition) {
    return !transition.step.inverse && transition.step.kind != automata::StepKind::loc;
  });
}

bool CycleFilter::may_have_cycle(EventId e) {
  if (visited_.size() < graph_.event_capacity()) {
    visited_.resize(graph_.event_capacity() * 2);
    stack_.resize(visited_.size() + 1);
  }
  if (++search_ == 0) {
    std::fill(visited_.begin(), visited_.end(), 0);
    search_ = 1;
  }
  const graph::ConstView causes = graph_.view(0, e);
  EventId* top = stack_.data();
  *top++ = e;
  bool cycle = false;
  // An initial write has no way in, so it is on no cycle; everything else that causes e closes one.
  const auto reach = [&](EventId x) {
    if (x == no_event || visited_[x] == search_) return;
    if (graph_.contains(causes, x)) {
      cycle = true;
      return;
    }
    visited_[x] = search_;
    *top++ = x;
  };
  while (top != stack_.data() && !cycle) {
    const EventId x = *--top;
    const Event& event = graph_[x];
    reach(graph_.po_next(x));
    switch (event.kind) {
      case EventKind::read:
        if (event.reads_from != no_event) reach(graph_[event.reads_from].next_write);
        break;
      case EventKind::write:
        reach(event.next_write);
        for (EventId r = event.first_reader; r != no_event; r = graph_[r].next_reader) reach(r);
        break;
      case EventKind::create:
      case EventKind::finish: reach(event.partner); break;
      default: break;
    }
  }
  return cycle;
}

}  // namespace heddle::consistency
