// The function `update_views`: all views of an event from those of its predecessors (views.h as compiled code), with
// a path of its own for every kind of event that the model treats differently.
#pragma once

#include "consistency/native/step_emitter.h"
#include "consistency/native_code.h"

namespace heddle::consistency::native {

inline constexpr const char* update_views_name = "heddle_update_views";

void emit_update_views(llvm::Module& module, StepEmitter& steps, const CodeRequest& request);

// What the function needs of its caller.
unsigned marks_of_views(const SpecialisedModel& model);  // per event

}  // namespace heddle::consistency::native
