// What the model language sees of actions, and which combinations of labels a program can produce for certain kinds of
// events, read off its code. Plain accesses are left out: most of them never become events, because they are private;
// the search adds their labels when the first one does.
#pragma once

#include <vector>

#include "bytecode/program.h"
#include "graph/labels.h"
#include "machine/action.h"

namespace heddle::explore {

// `writes`: the read is half of a read-modify-write that goes on to write.
graph::Labels labels_of_read(const machine::Action& action, bool writes);
graph::Labels labels_of_write(const machine::Action& action);
graph::Labels labels_of_fence(MemoryOrder order);

std::vector<graph::Labels> labels_of_program(const bytecode::Program& program);

}  // namespace heddle::explore
