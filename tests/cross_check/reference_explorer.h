// Enumerates every candidate execution of a litmus program and keeps those a model's definition allows. Slow and simple
// on purpose: guess every value a read could return, run the threads, then try every reads-from choice that explains
// the guesses and every coherence order. It shares no code with the exploration of the tool. Tested in oracle_test.cpp.
//
// A lock or a trylock that takes its mutex reads 0 and writes 1, atomically, as an acquire; a trylock that fails reads
// 1; an unlock is a release write of 0. A thread that waits for a mutex is stuck; an execution with a stuck thread is
// not complete. It is a deadlock if every write of 0 to the mutexes waited for (the initial one included) has been
// taken by another lock, and what else is waited for cannot come either: the thread to join is stuck itself, and at a
// barrier fewer are waiting than it takes.
//
// A thread is blocked once an assumption of it does not hold. An execution with a blocked thread is neither complete
// nor a deadlock; what goes wrong in it goes wrong before that, so it counts.
//
// A barrier is a rendezvous, by its definition: its arrivals fall into rounds of `count` threads each, every arrival of
// a round happens before every leave of the round, and one thread of the round, any one, is told that it is the serial
// one. The order in which threads arrive does not exist here.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

struct ReferenceResult {
  std::set<std::string> executions;  // canonical keys of the complete consistent executions
  bool race = false;  // in a complete or deadlocked execution, hence in any prefix of one
  bool use_after_free = false, double_free = false;  // likewise
  bool deadlock = false;
  bool deadlock_beside_blocked = false;  // the same, only that another thread is blocked: may be reported or not
  bool misused = false;  // some execution does what the program form does not define: nothing can be compared
};

// `prune`: leave out candidates that break coherence or atomicity of a single location before the definitions see them.
// It changes the time only; off, the definitions alone decide.
std::map<ReferenceModel, ReferenceResult> explore_reference(const LitmusProgram& program,
                                                            const std::vector<ReferenceModel>& models,
                                                            const ModelOptions& options = {}, bool prune = true);

}  // namespace heddle::cross_check
