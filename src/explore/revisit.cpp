// Backward revisits: an earlier read reads from the write just added; what was added after the read and the write does
// not depend on is cut out (thesis ch. 6).
//
// A revisit is done from exactly one graph: the one in which everything that it cuts, and the read itself, was added
// maximally, i.e. as extensibility prescribes: reads from the last write, writes at the end of coherence, choices with
// their first value. `kept` below is the causal prefix of the revisiting event; Prevs of the thesis are the events
// that were there when e was added, or that are kept.
#include "explore/search.h"

namespace heddle::explore {

using graph::ConstView;
using graph::Event;

namespace {

// Could it have been added in another way?
bool can_differ(const Event& event) {
  return event.kind == EventKind::read || event.kind == EventKind::write || event.kind == EventKind::choice;
}

}  // namespace

bool Search::maximal(EventId e, ConstView kept) const {
  const Event& event = graph_[e];
  const auto was_there = [&](EventId x) { return graph_[x].stamp <= event.stamp || graph_.contains(kept, x); };
  switch (event.kind) {
    case EventKind::read: {
      if (event.stole || event.reads_from == no_event || !was_there(event.reads_from)) return false;
      if (event.determined) return true;
      for (EventId x = graph_[event.reads_from].next_write; x != no_event; x = graph_[x].next_write)
        if (was_there(x)) return false;
      return true;
    }
    case EventKind::write: {
      for (EventId reader = event.first_reader; reader != no_event; reader = graph_[reader].next_reader)
        if (graph_[reader].stamp < event.stamp) return false;  // it has revisited that read
      if (event.labels & graph::label_rmw_write) return true;  // placed by its read
      for (EventId x = event.next_write; x != no_event; x = graph_[x].next_write)
        if (was_there(x)) return false;
      return true;
    }
    case EventKind::choice: return static_cast<std::int64_t>(event.value.low) == action_of(e).low;
    default: return true;
  }
}

// May everything from `from` on that is not kept be cut? `keeper` is the newest event itself.
bool Search::can_cut(EventId from, EventId keeper, ConstView kept) {
  const std::uint32_t oldest = graph_[from].stamp;
  const auto in_the_way = [&](EventId e) {
    return e != keeper && can_differ(graph_[e]) && !graph_.contains(kept, e) && !maximal(e, kept);
  };
  // What was in the way last time often still is.
  if (graph_.is_live(last_obstacle_) && graph_[last_obstacle_].stamp >= oldest && in_the_way(last_obstacle_))
    return false;
  for (EventId e = graph_.newest(); e != no_event && graph_[e].stamp >= oldest; e = graph_[e].older) {
    if (!in_the_way(e)) continue;
    last_obstacle_ = e;
    return false;
  }
  return true;
}

// Goes back from the newest event over everything that a revisit would cut, and ends at the first that is not maximal.
void Search::list_revisits(EventId w) {
  const ConstView kept = graph_.view(0, w);
  EventId r = graph_.location(graph_[w].location).newest_read;
  while (r != no_event && (!graph_[r].revisitable || graph_.contains(kept, r))) r = graph_[r].older_read;
  if (r == no_event) return;
  // Another update of what this one has updated has to go, or there would be two of them. Its read is a candidate
  // itself: this write's read would not have been given its source if what came after the rival could not be cut.
  const EventId rival = rival_of(w);
  const std::uint32_t newest = rival == no_event ? graph_[w].stamp : graph_[rival].stamp;
  EventId next = rival == no_event ? graph_[w].older : rival;
  for (; r != no_event; r = graph_[r].older_read) {
    const Event& read = graph_[r];
    if (read.stamp > newest || !read.revisitable || graph_.contains(kept, r)) continue;
    for (;; next = graph_[next].older) {
      if (can_differ(graph_[next]) && !graph_.contains(kept, next) && !maximal(next, kept)) return;
      if (next == r) break;
    }
    next = read.older;
    Option option;
    option.kind = Option::Kind::revisit;
    option.target = r;
    options_.push_back(option);
  }
}

// Cuts every event from `from_stamp` on that is not kept, and neither `keeper` nor `spare`. The thread of `spare` (a
// read about to be revisited) has its slot saved too.
void Search::cut(std::uint32_t from_stamp, EventId keeper, ConstView kept, EventId spare) {
  const auto first_event = static_cast<std::uint32_t>(cut_events_.size());
  const auto first_slot = static_cast<std::uint32_t>(saved_slots_.size());
  record_change(TrailEntry::Kind::cut, keeper);
  for (EventId e = graph_.newest(), older; e != no_event; e = older) {
    const Event& event = graph_[e];
    if (event.stamp < from_stamp) break;
    older = event.older;
    if (e == keeper || e == spare || graph_.contains(kept, e)) continue;
    cut_events_.push_back(e);
    save_slot(event.thread, first_slot).oldest = e;
    if (event.kind == EventKind::create)
      save_slot(static_cast<ThreadId>(event.value.low), first_slot).oldest = no_event;
    leaves(e);
    if (event.kind == EventKind::read) {
      if (event.reads_from != no_event) graph_.clear_source(e);
    } else if (event.kind == EventKind::write) {
      graph_.unplace_write(e);
    }
    graph_.detach_event(e);
  }
  for (std::size_t i = first_slot; i < saved_slots_.size(); ++i) {
    const SavedSlot& saved = saved_slots_[i];
    if (saved.oldest == no_event)
      put(saved.thread, Slot{});
    else
      park(saved.thread, origins_[saved.oldest]);
  }
  if (spare != no_event) save_slot(graph_[spare].thread, first_slot);
  if (!postponed_errors_.empty()) wake_postponed(first_slot);
  cuts_.push_back({first_event, static_cast<std::uint32_t>(cut_events_.size()) - first_event, first_slot,
                   static_cast<std::uint32_t>(saved_slots_.size()) - first_slot});
}

bool Search::revisit(EventId w, EventId r) {
  ++result_.revisits;
  cut(graph_[r].stamp + 1, w, graph_.view(0, w), r);
  park(graph_[r].thread, origins_[r]);  // until it is answered: what it did with the old value is over
  revisits_.push_back({graph_[r], r});
  graph_.clear_source(r);
  graph_.set_source(r, w);
  record_change(TrailEntry::Kind::revisited, r);
  Event& read = graph_[r];
  read.value = graph_[w].value;
  read.labels = labels_of_read_value(r);
  checker_->update_views(r);
  Choice choice;
  choice.event = w;
  choice.revisited = r;
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  list_places(w);
  return take_first_option(choice);
}

}  // namespace heddle::explore
