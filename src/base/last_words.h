// What the process is doing, for the message that it leaves when it dies of a signal in somebody else's code: a handler
// of signals may only look at memory that is always there.
#pragma once

#include <algorithm>
#include <string_view>

namespace heddle {

// The file that LLVM is reading; empty if none.
inline char file_read_by_llvm[1024] = "";

// While this lives, LLVM reads the file: a crash is then blamed on the file, not on Heddle.
class LlvmReads {
 public:
  explicit LlvmReads(std::string_view file) {
    const std::size_t length = std::min(file.size(), sizeof file_read_by_llvm - 1);
    file.copy(file_read_by_llvm, length);
    file_read_by_llvm[length] = '\0';
  }
  ~LlvmReads() { file_read_by_llvm[0] = '\0'; }
  LlvmReads(const LlvmReads&) = delete;
  LlvmReads& operator=(const LlvmReads&) = delete;
};

}  // namespace heddle
