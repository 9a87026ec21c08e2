// A full re-check of the graph's invariants (see execution_graph.h), for sanitizer and test builds: O(events) or worse.
// Throws InternalError with a sentence if one is broken. Tested in execution_graph_test.cpp.
#pragma once

#include "graph/execution_graph.h"

namespace heddle::graph {

// `unplaced`: a write that may still be outside of coherence order, or no_event.
void check_invariants(const ExecutionGraph& graph, EventId unplaced = no_event);

}  // namespace heddle::graph
