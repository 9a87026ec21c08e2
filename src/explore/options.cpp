// What an event may do: sources of reads, places of writes, and the order in which threads take a mutex.
//
// Mutexes. Taking one is a read-modify-write whose read waits until the mutex is free: the thread is not scheduled
// while the last write to the mutex says 'held'. So a lock read always reads from the last unlock and no execution is
// ever blocked on a stale lock. The other order, in which this thread takes the mutex before an earlier taker did, is
// reached by a steal: the earlier taker's lock read and what came after it are cut (if they were added maximally, as in
// every backward revisit), and this thread reads what the other had read. A lock read that stole counts as not
// maximal, which keeps the exploration free of duplicates just as the revisited read does in the plain algorithm.
// A thread that waits for a mutex when nothing else can happen may steal too (late_steal); otherwise a mutex that is
// never freed would hide the executions in which the waiting thread comes first.
#include <algorithm>

#include "explore/search.h"

namespace heddle::explore {

using graph::Event;

// The read-modify-write that read from w and wrote, if any: its write follows w at once in coherence.
static EventId updater_of(const graph::ExecutionGraph& graph, EventId w) {
  const EventId next = graph[w].next_write;
  if (next == no_event || (graph[next].labels & graph::label_rmw_write) == 0) return no_event;
  return graph[graph[next].partner].reads_from == w ? graph[next].partner : no_event;
}

// What a read that comes after `before` would depend on if it read from w.
graph::ConstView Search::kept_with(graph::ConstView before, EventId w) {
  kept_.assign(before.begin(), before.end());
  if (graph_[w].kind == EventKind::initial) return kept_;
  const graph::ConstView source = graph_.view(0, w);
  for (std::size_t t = 0; t < kept_.size(); ++t) kept_[t] = std::max(kept_[t], source[t]);
  return kept_;
}

void Search::list_sources(EventId r) {
  const Action& action = action_of(r);
  scratch_.clear();
  checker_->coherent_sources(r, scratch_);
  bool newest = true;
  for (const EventId w : scratch_) {
    Option option;
    option.kind = Option::Kind::source;
    option.target = w;
    option.maximal = newest;
    newest = false;
    if (action.access == AccessKind::barrier_leave) {
      if ((graph_[w].value.low & action.await_mask) != action.await_value) continue;
      option.maximal = false;
    }
    if (action.exclusive && !option.maximal && goes_on_to_write(action, graph_[w].value)) {
      // Two updates of one write: possible only if this one can still push the other one back.
      const EventId other = updater_of(graph_, w);
      if (other != no_event) {
        const bool by_lock = action_of(other).access == AccessKind::lock;  // lock reads are never revisited
        const graph::ConstView kept = graph_.view(0, graph_.po_previous(r));
        if (graph_.contains(kept, other) || !can_cut(other, r, by_lock ? kept : kept_with(kept, w))) continue;
        if (by_lock) {
          option.kind = Option::Kind::steal;
          option.target = other;
        }
      }
    }
    options_.push_back(option);
  }
}

Labels Search::labels_of_read_value(EventId r) const {
  const HistoryNode& node = *origins_[r];
  return goes_on_to_write(node.action, graph_[r].value) ? node.labels_if_it_writes : node.event.labels;
}

bool Search::read_from(EventId r, EventId w, bool maximal) {
  graph_.set_source(r, w);
  Event& read = graph_[r];
  read.value = graph_[w].value;
  read.labels = labels_of_read_value(r);
  checker_->update_views(r);
  if (!(maximal && options_given_.maximal_shortcut)) {
    ++result_.consistency_checks;
    if (!checker_->consistent(r)) return false;
  }
  // Copying a structure copies its padding too, which nobody ever initialises.
  if (!action_of(r).block_operation && reads_uninitialised(graph_[r]) && !has_late_parts_) {
    const Action& action = action_of(r);
    park(graph_[r].thread, origins_[r]);  // see find_no_race
    report(ErrorKind::uninitialized, "read of uninitialised memory", graph_[r].thread, action.position, action.address,
           action.size, {r});
    return false;
  }
  // Two updates of one write: for one step the graph is impossible, until the write of this one has pushed the other
  // one back. Races of this read are looked for then (place).
  const bool contested = (read.labels & graph::label_rmw_read) != 0 && updater_of(graph_, w) != no_event;
  if (!contested && !check_races(r)) return false;
  if (watch_readers_) note_reader(r);
  answer(r, graph_[r].value);
  return maximal || !stopped_for_good(r);
}

// If the write is half of a read-modify-write and another one has already updated what it read: the other's read.
EventId Search::rival_of(EventId w) const {
  const Event& write = graph_[w];
  if ((write.labels & graph::label_rmw_write) == 0) return no_event;
  return updater_of(graph_, graph_[write.partner].reads_from);
}

void Search::list_places(EventId w) {
  Option option;
  option.kind = Option::Kind::place;
  const EventId last = graph_.location(graph_[w].location).last_write;
  if (graph_[w].labels & graph::label_rmw_write) {
    if (rival_of(w) != no_event) return;
    option.target = graph_[graph_[w].partner].reads_from;
    option.maximal = option.target == last;
    options_.push_back(option);
    return;
  }
  scratch_.clear();
  checker_->coherent_places(w, scratch_);
  for (const EventId after : scratch_) {
    option.target = after;
    option.maximal = after == last;
    options_.push_back(option);
  }
}

// `r`: the read that the write revisits, if any.
bool Search::place(EventId w, EventId after, EventId r, bool maximal) {
  graph_.place_write(w, after);
  if (!(maximal && options_given_.maximal_shortcut)) {
    ++result_.consistency_checks;
    if (!checker_->consistent(w)) return false;
    if (r != no_event && !(checker_->coherent_source(r) && checker_->consistent(r))) return false;
  }
  if (!check_races(w)) return false;
  if (r == no_event) return true;
  if ((graph_[w].labels & graph::label_rmw_write) != 0 && !check_races(graph_[w].partner)) return false;
  if (!check_races(r)) return false;
  if (watch_readers_) note_reader(r);
  answer(r, graph_[r].value);
  return !stopped_for_good(r);
}

void Search::list_lock_sources(EventId r) {
  const EventId last = graph_.location(graph_[r].location).last_write;
  Option option;
  option.kind = Option::Kind::source;
  if ((graph_[last].value.low & machine::mutex_held_mask) == 0) {
    option.target = last;
    option.maximal = true;
    options_.push_back(option);
  }
  option.maximal = false;
  const graph::ConstView kept = graph_.view(0, graph_.po_previous(r));
  for (EventId w = last; w != no_event; w = graph_[w].previous_write) {
    const EventId taker = updater_of(graph_, w);
    if (taker == no_event || graph_.contains(kept, taker)) continue;
    if (action_of(taker).access == AccessKind::lock) {
      if (!can_cut(taker, r, kept)) continue;
      option.kind = Option::Kind::steal;
      option.target = taker;
    } else {
      if (!can_cut(taker, r, kept_with(kept, w))) continue;
      option.kind = Option::Kind::source;
      option.target = w;
    }
    options_.push_back(option);
  }
}

bool Search::steal(EventId r, EventId victim) {
  const EventId source = graph_[victim].reads_from;
  cut(graph_[victim].stamp, r, graph_.view(0, graph_.po_previous(r)), no_event);
  graph_[r].stole = true;
  ++result_.revisits;
  return read_from(r, source, true);
}

void Search::list_late_steals() {
  for (ThreadId t = 0; t < slots_.size(); ++t) {
    const Slot& slot = slots_[t];
    if (!slot.alive || slot.readiness == Readiness::never || slot.node->at_begin) continue;
    const Action& action = slot.node->action;
    if (action.kind != ActionKind::read || action.access != AccessKind::lock) continue;
    const LocationId location = locations_.find(action.address, action.size);
    const graph::ConstView kept = graph_.view(0, graph_.last_of(t));
    for (EventId w = graph_.location(location).last_write; w != no_event; w = graph_[w].previous_write) {
      const EventId taker = updater_of(graph_, w);
      if (taker == no_event || graph_.contains(kept, taker)) continue;
      Option option;
      option.number = t;
      if (action_of(taker).access == AccessKind::lock) {
        if (!can_cut(taker, no_event, kept)) continue;
        option.kind = Option::Kind::late_steal;
        option.target = taker;
      } else {  // a trylock: the write that takes the mutex will revisit it
        if (!can_cut(taker, no_event, kept_with(kept, w))) continue;
        option.kind = Option::Kind::late_source;
        option.target = w;
      }
      options_.push_back(option);
    }
  }
}

EventId Search::add_late_lock_read(ThreadId t, LocationId location) {
  HistoryNode& node = *slots_[t].node;
  if (!node.prepared) prepare(node);
  node.event.location = location;
  return add(t);
}

bool Search::late_steal(ThreadId t, EventId victim) {
  return steal(add_late_lock_read(t, graph_[victim].location), victim);
}

bool Search::late_source(ThreadId t, EventId w) {
  return read_from(add_late_lock_read(t, graph_[w].location), w, false);
}

}  // namespace heddle::explore
