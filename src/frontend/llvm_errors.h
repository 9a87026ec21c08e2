// What happens when LLVM gives up: by default it ends the process as if it had crashed. No LLVM in sight, so that the
// command line can say what to do.
#pragma once

namespace heddle::frontend {

// Called with nothing, the reason, and a flag without meaning here; must not return. `memory`: there is none left.
using LlvmErrorHandler = void (*)(void*, const char* reason, bool);
void on_llvm_errors(LlvmErrorHandler any, LlvmErrorHandler memory);

}  // namespace heddle::frontend
