// Turns local variables into registers where that can hide nothing, and cleans up what is left.
//
// A local scalar becomes a register only if its address goes nowhere and a store comes before every load on every
// path: a variable that may be read uninitialised stays in memory, where the machine notices exactly. Nothing here
// removes, adds or reorders an access that another thread could see.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::frontend {

void promote_variables(llvm::Function& function);

}  // namespace heddle::frontend
