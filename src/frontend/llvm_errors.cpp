// See llvm_errors.h. Tested by tests/limits_test.py.
#include "frontend/llvm_errors.h"

#include <llvm/Support/ErrorHandling.h>

namespace heddle::frontend {

void on_llvm_errors(LlvmErrorHandler any, LlvmErrorHandler memory) {
  llvm::install_fatal_error_handler(any);
  llvm::install_bad_alloc_error_handler(memory);
}

}  // namespace heddle::frontend
