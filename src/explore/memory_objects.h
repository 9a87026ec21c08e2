// Heap and shared stack objects: which are there, which are alive. Follows the graph: an object appears with its
// allocate event and disappears with it, and per thread that happens in stack order, because events only ever leave
// from the end of a thread.
#pragma once

#include <cstdint>
#include <vector>

#include "bytecode/address_space.h"
#include "bytecode/vocabulary.h"
#include "graph/event.h"

namespace heddle::explore {

struct MemoryObject {
  bytecode::Address address = 0;
  std::uint64_t size = 0;
  bytecode::ObjectKind kind = bytecode::ObjectKind::heap;
  bool zeroed = false;
  graph::EventId allocated = graph::no_event;
  graph::EventId released = graph::no_event;
};

class MemoryObjects {
 public:
  void add(graph::ThreadId thread, const MemoryObject& object);
  void remove_last(graph::ThreadId thread);

  // The object that an address lies in or just behind (within the gap), or null.
  MemoryObject* nearest(bytecode::Address address);
  const MemoryObject* nearest(bytecode::Address address) const {
    return const_cast<MemoryObjects*>(this)->nearest(address);
  }

  const std::vector<std::vector<MemoryObject>>& by_thread() const { return by_thread_; }
  std::uint32_t live_heap_objects() const { return live_heap_objects_; }
  void mark_released(MemoryObject& object, graph::EventId release);
  void mark_alive(MemoryObject& object);

 private:
  std::vector<std::vector<MemoryObject>> by_thread_;  // each sorted by address: allocation order
  std::uint32_t live_heap_objects_ = 0;
};

}  // namespace heddle::explore
