// Runs clang on a C or C++ file and hands back LLVM bitcode, or clang's own complaints as diagnostics.
//
// clang runs as a child process without a shell; bitcode comes through a pipe, so nothing is left behind on disk.
// Several files compile at the same time: start them all, then collect. Optimisation is off: every access that the
// source makes must be there, and nothing that the source does not do.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace heddle::frontend {

class Compilation {
 public:
  // Starts clang on `file`. A failure to start is reported by `finish`.
  Compilation(const std::string& clang, const std::string& file, const std::vector<std::string>& flags);
  ~Compilation();
  Compilation(Compilation&& other) noexcept;
  Compilation(const Compilation&) = delete;
  Compilation& operator=(const Compilation&) = delete;
  Compilation& operator=(Compilation&&) = delete;

  // Waits for clang: the bitcode, or what is wrong. Its warnings about a file that compiles are appended to `messages`.
  Result<std::string> finish(std::string& messages);

 private:
  std::string clang_;
  std::string file_;
  int process_ = -1;
  int output_ = -1;  // the read ends of clang's standard output
  int messages_ = -1;  // and standard error
  int start_error_ = 0;
  bool keep_warnings_ = true;
};

// clang's messages as diagnostics, errors only; exposed for its test.
Diagnostics parse_clang_messages(const std::string& text);

}  // namespace heddle::frontend
