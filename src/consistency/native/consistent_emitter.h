// The function `consistent`: every constraint of the model, one after the other (search.h as compiled code).
#pragma once

#include "consistency/native/step_emitter.h"
#include "consistency/native_code.h"

namespace heddle::consistency::native {

inline constexpr const char* consistent_name = "heddle_consistent";

void emit_consistent(llvm::Module& module, StepEmitter& steps, const CodeRequest& request);

// Does the filter leave checks open that only a search can decide?
bool leaves_checks_open(const CodeRequest& request);

// What the function needs of its caller.
unsigned marks_of_constraints(const SpecialisedModel& model);    // per event
unsigned searches_of_constraints(const SpecialisedModel& model); // per call

}  // namespace heddle::consistency::native
