// Backward revisits: an earlier read reads from the write just added; what was added after the read and the write does
// not depend on is cut out (thesis ch. 6).
//
// A revisit is done from exactly one graph: the one in which everything that it cuts, and the read itself, was added
// maximally, i.e. as extensibility prescribes: reads from the last write, writes at the end of coherence, choices with
// their first value. `kept` below is the causal prefix of the revisiting event; Prevs of the thesis are the events
// that were there when e was added, or that are kept.
#include <algorithm>

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

// The highest stamp (at least from_stamp) of an event that is neither kept nor maximal, nor `keeper`, the newest event
// itself; 0 if there is none. Everything after it may be cut, nothing before it.
std::uint32_t Search::newest_obstacle(EventId keeper, ConstView kept, std::uint32_t from_stamp) const {
  std::uint32_t obstacle = 0, lowest = from_stamp;
  for (ThreadId t = 0; t < graph_.thread_count(); ++t) {
    const auto events = graph_.events_of(t);
    for (std::size_t i = events.size(); i-- > kept[t];) {
      const EventId e = events[i];
      const Event& event = graph_[e];
      if (event.stamp < lowest) break;
      const bool can_differ =
          event.kind == EventKind::read || event.kind == EventKind::write || event.kind == EventKind::choice;
      if (!can_differ || e == keeper || maximal(e, kept)) continue;
      obstacle = event.stamp;
      lowest = obstacle + 1;
      break;
    }
  }
  return obstacle;
}

void Search::list_revisits(EventId w) {
  const ConstView kept = graph_.view(0, w);
  std::uint32_t oldest = graph_[w].stamp;
  scratch_.clear();
  for (EventId x = graph_.location(graph_[w].location).initial; x != no_event; x = graph_[x].next_write) {
    for (EventId r = graph_[x].first_reader; r != no_event; r = graph_[r].next_reader) {
      if (!graph_[r].revisitable || graph_.contains(kept, r) || !maximal(r, kept)) continue;
      scratch_.push_back(r);
      oldest = std::min(oldest, graph_[r].stamp);
    }
  }
  if (scratch_.empty()) return;
  if (scratch_.size() > 1)
    std::sort(scratch_.begin(), scratch_.end(),
              [this](EventId a, EventId b) { return graph_[a].stamp > graph_[b].stamp; });
  const std::uint32_t obstacle = newest_obstacle(w, kept, oldest);
  for (const EventId r : scratch_) {
    if (graph_[r].stamp <= obstacle) break;
    Option option;
    option.kind = Option::Kind::revisit;
    option.target = r;
    options_.push_back(option);
  }
}

void Search::save_slot(ThreadId t) {
  const Cut& cut = cuts_.back();
  for (std::uint32_t i = 0; i < cut.slot_count; ++i)
    if (saved_slots_[cut.first_slot + i].thread == t) return;
  saved_slots_.push_back({t, std::move(slots_[t])});
  ++cuts_.back().slot_count;
}

// Cuts every event from `from_stamp` on that is not kept, and neither `keeper` nor `spare`. The thread of `spare` (a
// read about to be revisited) has its slot saved too.
void Search::cut(std::uint32_t from_stamp, EventId keeper, ConstView kept, EventId spare) {
  Cut record{static_cast<std::uint32_t>(cut_events_.size()), 0, static_cast<std::uint32_t>(saved_slots_.size()), 0};
  cuts_.push_back(record);
  trail_.push_back({TrailEntry::Kind::cut, 0});
  for (ThreadId t = 0; t < graph_.thread_count(); ++t) {
    const auto events = graph_.events_of(t);
    EventId oldest = no_event;
    for (std::size_t i = events.size(); i-- > kept[t];) {
      const EventId e = events[i];
      if (graph_[e].stamp < from_stamp) break;
      if (e == keeper || e == spare) continue;
      cut_events_.push_back(e);
      oldest = e;
    }
    if (oldest == no_event) continue;
    save_slot(t);
    put(t, Slot(origins_[oldest]));
  }
  if (spare != no_event) save_slot(graph_[spare].thread);
  const auto begin = cut_events_.begin() + record.first_event;
  std::sort(begin, cut_events_.end(), [this](EventId a, EventId b) { return graph_[a].stamp > graph_[b].stamp; });
  record.event_count = static_cast<std::uint32_t>(cut_events_.size()) - record.first_event;
  cuts_.back().event_count = record.event_count;

  for (std::uint32_t i = 0; i < record.event_count; ++i) {
    const EventId e = cut_events_[record.first_event + i];
    const Event& event = graph_[e];
    if (event.kind == EventKind::create) save_slot(static_cast<ThreadId>(event.value.low));
    clear_side_effects(e);
    if (event.kind == EventKind::read && event.reads_from != no_event) graph_.clear_source(e);
    if (event.kind == EventKind::write) graph_.unplace_write(e);
    graph_.detach_last_event(event.thread);
  }
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
  know_labels(EventKind::read, read.labels);
  checker_->update_views(r);
  Choice choice;
  choice.event = w;
  choice.revisited = r;
  choice.first_option = static_cast<std::uint32_t>(options_.size());
  list_places(w);
  return take_first_option(choice);
}

}  // namespace heddle::explore
