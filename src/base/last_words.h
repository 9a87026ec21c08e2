// What the process is doing, for the message that it leaves when it dies of a signal in somebody else's code: a handler
// of signals may only look at memory that is always there.
#pragma once

#include <algorithm>
#include <string_view>

#include <sys/time.h>

namespace heddle {

// The file that LLVM is reading; empty if none.
inline char file_read_by_llvm[1024] = "";

// LLVM never comes to an end with some damaged files. After this much processor time the process gets SIGPROF.
inline int seconds_for_llvm = 60;

// While this lives, LLVM reads the file: a crash is then blamed on the file, not on Heddle.
class LlvmReads {
 public:
  explicit LlvmReads(std::string_view file) {
    set_timer(seconds_for_llvm);
    const std::size_t length = std::min(file.size(), sizeof file_read_by_llvm - 1);
    file.copy(file_read_by_llvm, length);
    file_read_by_llvm[length] = '\0';
  }
  ~LlvmReads() {
    file_read_by_llvm[0] = '\0';
    set_timer(0);
  }
  LlvmReads(const LlvmReads&) = delete;
  LlvmReads& operator=(const LlvmReads&) = delete;

 private:
  static void set_timer(int seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = seconds;
    ::setitimer(ITIMER_PROF, &timer, nullptr);
  }
};

}  // namespace heddle
