// Everything one thread of a litmus program could do, whatever the others do: its runs with every value a read could
// return, every choice and every outcome of waiting. Which runs fit together is for reference_explorer.cpp to find out.
//
// The values guessed are closed under the program's writes from the initial 0, as many rounds as there are writes. That
// finds every execution of a model in which program order and reads-from together have no cycle.
#pragma once

#include <cstdint>
#include <vector>

#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

enum class TraceEnd {
  finished,
  waits_for_mutex,
  waits_at_barrier,  // after arriving there
  waits_for_thread,
  blocked,  // an assumption does not hold
  misused,  // does what the program form does not define: frees or follows what is no pointer, ...
  not_created,
};

struct Trace {
  std::vector<CandidateEvent> events;
  TraceEnd end = TraceEnd::finished;
  int waits_for = -1;  // the mutex (numbered as memory), barrier or thread
  // Which values of which locations it reads and writes, each pair a bit; nothing if there are too many pairs.
  std::uint64_t needs = 0, gives = 0;
};

// Per thread.
std::vector<std::vector<Trace>> all_traces(const LitmusProgram& program, const ModelOptions& options);

}  // namespace heddle::cross_check
