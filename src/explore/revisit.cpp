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
bool Search::can_cut(EventId from, EventId keeper, ConstView kept) const {
  const std::uint32_t oldest = graph_[from].stamp;
  for (EventId e = graph_.newest(); e != no_event && graph_[e].stamp >= oldest; e = graph_[e].older)
    if (e != keeper && !graph_.contains(kept, e) && !maximal(e, kept)) return false;
  return true;
}

// Goes back from the newest event over everything that a revisit would cut, and ends at the first that is not maximal.
void Search::list_revisits(EventId w) {
  const graph::Location& location = graph_.location(graph_[w].location);
  if (location.newest_read == no_event) return;
  // Another update of what this one has updated has to go, or there would be two of them.
  const EventId rival = rival_of(w);
  const std::uint32_t newest = rival == no_event ? graph_[w].stamp : graph_[rival].stamp;
  const ConstView kept = graph_.view(0, w);
  EventId next = graph_[w].older;
  for (EventId r = location.newest_read; r != no_event; r = graph_[r].older_read) {
    const Event& read = graph_[r];
    if (read.stamp > newest || !read.revisitable || graph_.contains(kept, r)) continue;
    for (;; next = graph_[next].older) {
      if (!graph_.contains(kept, next) && !maximal(next, kept)) return;
      if (next == r) break;
    }
    next = read.older;
    Option option;
    option.kind = Option::Kind::revisit;
    option.target = r;
    options_.push_back(option);
  }
}

// The slot of a thread that the current cut changes, as it was.
Search::SavedSlot& Search::save_slot(ThreadId t) {
  if (saved_in_.size() <= t) saved_in_.resize(slots_.size(), 0);
  const Cut& cut = cuts_.back();
  const std::uint32_t place = saved_in_[t];
  if (place >= cut.first_slot && place < saved_slots_.size() && saved_slots_[place].thread == t)
    return saved_slots_[place];
  saved_in_[t] = static_cast<std::uint32_t>(saved_slots_.size());
  saved_slots_.push_back({t, no_event, slots_[t]});
  return saved_slots_.back();
}

// Cuts every event from `from_stamp` on that is not kept, and neither `keeper` nor `spare`. The thread of `spare` (a
// read about to be revisited) has its slot saved too.
void Search::cut(std::uint32_t from_stamp, EventId keeper, ConstView kept, EventId spare) {
  cuts_.push_back(
      {static_cast<std::uint32_t>(cut_events_.size()), 0, static_cast<std::uint32_t>(saved_slots_.size()), 0});
  trail_.push_back({TrailEntry::Kind::cut, 0});
  for (EventId e = graph_.newest(), older; e != no_event && graph_[e].stamp >= from_stamp; e = older) {
    const Event& event = graph_[e];
    older = event.older;
    if (e == keeper || e == spare || graph_.contains(kept, e)) continue;
    cut_events_.push_back(e);
    save_slot(event.thread).oldest = e;
    if (event.kind == EventKind::create) save_slot(static_cast<ThreadId>(event.value.low)).oldest = no_event;
    clear_side_effects(e);
    if (event.kind == EventKind::read && event.reads_from != no_event) graph_.clear_source(e);
    if (event.kind == EventKind::write) graph_.unplace_write(e);
    graph_.detach_last_event(event.thread);
  }
  Cut& cut = cuts_.back();
  for (std::size_t i = cut.first_slot; i < saved_slots_.size(); ++i) {
    const SavedSlot& saved = saved_slots_[i];
    put(saved.thread, saved.oldest == no_event ? Slot{} : origins_[saved.oldest]);
  }
  if (spare != no_event) save_slot(graph_[spare].thread);
  cut.event_count = static_cast<std::uint32_t>(cut_events_.size()) - cut.first_event;
  cut.slot_count = static_cast<std::uint32_t>(saved_slots_.size()) - cut.first_slot;
}

bool Search::revisit(EventId w, EventId r) {
  ++result_.revisits;
  cut(graph_[r].stamp + 1, w, graph_.view(0, w), r);
  revisits_.push_back({graph_[r], r});
  graph_.clear_source(r);
  graph_.set_source(r, w);
  trail_.push_back({TrailEntry::Kind::revisited, r});
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
