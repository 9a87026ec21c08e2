// Does the claimed error happen in the execution that the second run has seen? Judged anew from what the run knows:
// where its threads stand, its objects and its events. Tested in validate_test.cpp and mutation_test.cpp.
#pragma once

#include "bytecode/recorded_execution.h"
#include "validate/model_judgement.h"
#include "validate/second_run.h"

namespace heddle::validate {

// Throws Refusal if not. Without a model (it was too much work), what only a model can tell is taken as it is.
void judge_error(const SecondRun& run, const bytecode::Violation& claim, ModelJudgement* model);

}  // namespace heddle::validate
