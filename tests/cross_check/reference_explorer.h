// Enumerates every candidate execution of a litmus program and keeps those a model's definition allows. Slow and simple
// on purpose: guess every value a read could return, run the threads, then try every reads-from choice that explains the
// guesses and every coherence order. It shares no code with the exploration of the tool. Tested in oracle_test.cpp.
//
// The values guessed are closed under the program's writes from the initial 0, as many rounds as there are writes. That
// finds every execution of a model in which program order and reads-from together have no cycle, i.e. of all four here.
//
// A lock reads 0 from its mutex and writes 1, atomically, as an acquire; an unlock is a release write of 0. A thread that
// waits for a mutex is stuck; an execution with a stuck thread is not complete. It is a deadlock if every write of 0 to
// the mutexes waited for (the initial one included) has been taken by another lock.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

struct ReferenceResult {
  std::set<std::string> executions;          // canonical keys of the complete consistent executions
  std::set<std::string> reads_from_classes;  // the same up to coherence
  bool race = false;                         // in a complete or deadlocked execution, hence in any prefix of one
  bool deadlock = false;
};

// `prune`: leave out candidates that break coherence or atomicity of a single location before the definitions see them.
// It changes the time only; off, the definitions alone decide.
std::map<ReferenceModel, ReferenceResult> explore_reference(const LitmusProgram& program,
                                                            const std::vector<ReferenceModel>& models,
                                                            const ModelOptions& options = {}, bool prune = true);

}  // namespace heddle::cross_check
