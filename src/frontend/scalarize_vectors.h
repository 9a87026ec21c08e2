// Takes vector operations apart: what LLVM says about vectors is said again about their elements. Vectors are left
// only where values come and go as a whole (parameters, results, loads, stores, bit casts); lower_vectors.cpp and the
// flattening of values in function_lowering.h deal with those.
#pragma once

namespace llvm {
class Function;
}

namespace heddle::frontend {

void scalarize_vectors(llvm::Function& function);

}  // namespace heddle::frontend
