// A small graph as a litmus-like text: one line a thread, saying what is read from where, then the order of writes.
#pragma once

#include <string>

#include "prover/small_graph.h"

namespace heddle::prover {

std::string print_graph(const SmallGraph& graph);

}  // namespace heddle::prover
