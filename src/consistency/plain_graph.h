// An execution graph as the definitions of models see it: a list of events with their labels and the links that the
// primitive relations are made of. Plain data, nothing derived; who evaluates a model literally starts from this.
#pragma once

#include <cstdint>
#include <vector>

#include "graph/labels.h"

namespace heddle::consistency {

inline constexpr std::uint32_t nowhere = 0xffffffff;  // no event, no thread, no location

// Links are indices into the graph, or nowhere.
struct PlainEvent {
  graph::Labels labels = 0;
  std::uint32_t thread = nowhere;      // initial writes have none
  std::uint32_t location = nowhere;    // the same number for the same bytes
  std::uint32_t po_previous = nowhere;
  std::uint32_t reads_from = nowhere;  // of reads
  std::uint32_t co_previous = nowhere; // of writes but the initial ones: the one just before in coherence
  std::uint32_t rmw_read = nowhere;    // of the write half of a read-modify-write
  std::uint32_t created_by = nowhere;  // of a thread's first event: its create event
  std::uint32_t joined = nowhere;      // of a join: the finish event of the other thread
};

using PlainGraph = std::vector<PlainEvent>;

}  // namespace heddle::consistency
