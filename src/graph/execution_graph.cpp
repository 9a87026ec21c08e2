// Implementation of the execution graph; the story is in the header.
#include "graph/execution_graph.h"

#include <algorithm>

namespace heddle::graph {

ExecutionGraph::ExecutionGraph(unsigned views) {
  HEDDLE_CHECK(views >= 1, "view 0, the causal one, always exists");
  memory_.view_count = views;
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
  memory_.locations = locations_.data();
  return event.location;
}

void ExecutionGraph::make_room(ThreadId t) {
  if (free_ == no_event) grow();
  if (threads_[t].size == threads_[t].capacity) grow_thread(threads_[t]);
}

void ExecutionGraph::grow() {
  events_.emplace_back();
  memory_.events = events_.data();
  memory_.event_capacity = static_cast<std::uint32_t>(events_.size());
  views_.resize(events_.size() * memory_.view_count * memory_.stride);
  memory_.views = views_.data();
  set_free(static_cast<EventId>(events_.size() - 1));
}

ThreadId ExecutionGraph::add_thread() {
  threads_.emplace_back();
  thread_storage_.emplace_back();
  memory_.threads = threads_.data();
  memory_.thread_count = static_cast<std::uint32_t>(threads_.size());
  if (memory_.thread_count > memory_.stride) grow_stride(memory_.thread_count);
  return memory_.thread_count - 1;
}

void ExecutionGraph::grow_thread(ThreadEvents& thread) {
  const std::uint32_t capacity = thread.capacity == 0 ? 16 : thread.capacity * 2;
  auto storage = std::make_unique<EventId[]>(capacity);
  std::copy_n(thread.events, thread.size, storage.get());
  thread.events = storage.get();
  thread.capacity = capacity;
  thread_storage_[static_cast<std::size_t>(&thread - threads_.data())] = std::move(storage);
}

void ExecutionGraph::grow_stride(unsigned threads) {
  const unsigned stride = memory_.stride;
  unsigned wider = stride;
  while (wider < threads) wider *= 2;
  const std::size_t rows = events_.size() * memory_.view_count;
  std::vector<std::uint32_t> moved(rows * wider, 0);
  for (std::size_t row = 0; row < rows; ++row) std::copy_n(&views_[row * stride], stride, &moved[row * wider]);
  views_ = std::move(moved);
  memory_.views = views_.data();
  memory_.stride = wider;
}

}  // namespace heddle::graph
