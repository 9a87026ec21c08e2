// clang passes small structs in integer registers: it reads `struct { int a; short b, c; }` from memory as one 64-bit
// integer. The program itself only ever accesses the fields. Where other threads may be involved, such an access
// becomes a copy of the bytes, field by field like any other, and an access to a private temporary. The same goes for
// structs passed through "...", which are moved into the argument area word by word.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::frontend {

void copy_coerced_structs(llvm::Function& function);

}  // namespace heddle::frontend
