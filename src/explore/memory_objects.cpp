// See the header.
#include "explore/memory_objects.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

void MemoryObjects::add(graph::ThreadId thread, const MemoryObject& object) {
  if (by_thread_.size() <= thread) by_thread_.resize(thread + 1);
  auto& list = by_thread_[thread];
  HEDDLE_CHECK(list.empty() || list.back().address < object.address, "a thread's addresses only grow");
  list.push_back(object);
  if (object.kind == bytecode::ObjectKind::heap) ++live_heap_objects_;
}

void MemoryObjects::remove_last(graph::ThreadId thread) {
  auto& list = by_thread_[thread];
  HEDDLE_CHECK(!list.empty() && list.back().released == graph::no_event,
               "a release depends on its allocation and leaves before it");
  if (list.back().kind == bytecode::ObjectKind::heap) --live_heap_objects_;
  list.pop_back();
}

MemoryObject* MemoryObjects::nearest(bytecode::Address address) {
  if (!bytecode::is_shared_object(address)) return nullptr;
  const unsigned thread = bytecode::owner_thread(address);
  if (thread >= by_thread_.size()) return nullptr;
  auto& list = by_thread_[thread];
  auto after = std::upper_bound(list.begin(), list.end(), address,
                                [](bytecode::Address a, const MemoryObject& object) { return a < object.address; });
  return after == list.begin() ? nullptr : &*(after - 1);
}

void MemoryObjects::mark_released(MemoryObject& object, graph::EventId release) {
  object.released = release;
  if (object.kind == bytecode::ObjectKind::heap) --live_heap_objects_;
}

void MemoryObjects::mark_alive(MemoryObject& object) {
  object.released = graph::no_event;
  if (object.kind == bytecode::ObjectKind::heap) ++live_heap_objects_;
}

}  // namespace heddle::explore
