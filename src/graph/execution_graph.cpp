// Implementation of the execution graph; the story is in the header.
#include "graph/execution_graph.h"

#include <algorithm>

namespace heddle::graph {

ExecutionGraph::ExecutionGraph(unsigned views) : view_count_(views) {
  HEDDLE_CHECK(views >= 1, "view 0, the causal one, always exists");
}

LocationId ExecutionGraph::add_location(std::uint64_t address, std::uint8_t size, Value initial) {
  const EventId head = new_event_slot();
  Event& event = events_[head];
  event = Event{};
  event.labels = label_write | label_initial;
  event.kind = EventKind::initial;
  event.location = static_cast<LocationId>(locations_.size());
  event.value = initial;
  Location location;
  location.address = address;
  location.size = size;
  location.initial = head;
  location.last_write = head;
  locations_.push_back(location);
  return event.location;
}

EventId ExecutionGraph::new_event_slot() {
  if (!free_events_.empty()) {
    const EventId id = free_events_.back();
    free_events_.pop_back();
    return id;
  }
  events_.emplace_back();
  views_.resize(events_.size() * view_count_ * stride_);
  return static_cast<EventId>(events_.size() - 1);
}

ThreadId ExecutionGraph::add_thread() {
  threads_.emplace_back();
  if (threads_.size() > stride_) grow_stride(static_cast<unsigned>(threads_.size()));
  return static_cast<ThreadId>(threads_.size() - 1);
}

void ExecutionGraph::grow_stride(unsigned threads) {
  unsigned wider = stride_;
  while (wider < threads) wider *= 2;
  std::vector<std::uint32_t> moved(events_.size() * view_count_ * wider, 0);
  const std::size_t rows = events_.size() * view_count_;
  for (std::size_t row = 0; row < rows; ++row)
    std::copy_n(&views_[row * stride_], stride_, &moved[row * wider]);
  views_ = std::move(moved);
  stride_ = wider;
}

EventId ExecutionGraph::add_event(ThreadId t, const Event& event) {
  const EventId id = new_event_slot();
  Event& added = events_[id];
  added = event;
  added.thread = t;
  added.index = static_cast<std::uint32_t>(threads_[t].size());
  added.stamp = next_stamp_++;
  threads_[t].push_back(id);
  if (added.labels & label_plain && added.location != no_location) ++locations_[added.location].plain_accesses;
  return id;
}

void ExecutionGraph::remove_last_event(ThreadId t) {
  const EventId id = threads_[t].back();
  detach_last_event(t);
  free_events_.push_back(id);
}

void ExecutionGraph::detach_last_event(ThreadId t) {
  const Event& event = events_[threads_[t].back()];
  if (event.labels & label_plain && event.location != no_location) --locations_[event.location].plain_accesses;
  threads_[t].pop_back();
}

void ExecutionGraph::reattach_event(EventId e) {
  const Event& event = events_[e];
  HEDDLE_CHECK(event.index == threads_[event.thread].size(), "events come back in the order in which they left");
  if (event.labels & label_plain && event.location != no_location) ++locations_[event.location].plain_accesses;
  threads_[event.thread].push_back(e);
}

void ExecutionGraph::set_source(EventId r, EventId w) {
  Event& read = events_[r];
  Event& write = events_[w];
  read.reads_from = w;
  read.previous_reader = no_event;
  read.next_reader = write.first_reader;
  if (write.first_reader != no_event) events_[write.first_reader].previous_reader = r;
  write.first_reader = r;
}

void ExecutionGraph::clear_source(EventId r) {
  const Event& read = events_[r];
  if (read.previous_reader != no_event)
    events_[read.previous_reader].next_reader = read.next_reader;
  else
    events_[read.reads_from].first_reader = read.next_reader;
  if (read.next_reader != no_event) events_[read.next_reader].previous_reader = read.previous_reader;
}

void ExecutionGraph::relink_source(EventId r) {
  const Event& read = events_[r];
  if (read.previous_reader != no_event)
    events_[read.previous_reader].next_reader = r;
  else
    events_[read.reads_from].first_reader = r;
  if (read.next_reader != no_event) events_[read.next_reader].previous_reader = r;
}

void ExecutionGraph::place_write(EventId w, EventId after) {
  Event& write = events_[w];
  write.previous_write = after;
  write.next_write = events_[after].next_write;
  replace_write(w);
}

void ExecutionGraph::replace_write(EventId w) {
  const Event& write = events_[w];
  events_[write.previous_write].next_write = w;
  if (write.next_write != no_event)
    events_[write.next_write].previous_write = w;
  else
    locations_[write.location].last_write = w;
}

void ExecutionGraph::unplace_write(EventId w) {
  const Event& write = events_[w];
  events_[write.previous_write].next_write = write.next_write;
  if (write.next_write != no_event)
    events_[write.next_write].previous_write = write.previous_write;
  else
    locations_[write.location].last_write = write.previous_write;
}

}  // namespace heddle::graph
