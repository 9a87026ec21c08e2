// Memory orders that are known only when the program runs: `atomic_load_explicit(&x, order)`. Every order that the
// operation can have gets its own copy of it; any other one is undefined behaviour, and reaching it an error that says
// which. clang makes the copies itself where it expands an operation, but takes an order that cannot be for relaxed.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::frontend {

void check_memory_orders(llvm::Function& function);

// Reaching a call of this function is undefined behaviour; its argument, a string, says which.
inline constexpr const char* undefined_behavior_function = "__heddle_undefined_behavior";

}  // namespace heddle::frontend
