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

EventId ExecutionGraph::grow() {
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
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(&views_[row * stride_], stride_, &moved[row * wider]);
  views_ = std::move(moved);
  stride_ = wider;
}

}  // namespace heddle::graph
