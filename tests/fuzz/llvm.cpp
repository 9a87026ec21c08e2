// Any text as LLVM assembly: LLVM refuses it, or Heddle does with a message, or it becomes a program that runs. Bitcode
// is left out: LLVM's reader of it does not promise to survive damaged files, and the tool says so when it does not.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

#include "base/last_words.h"
#include "frontend/llvm_errors.h"
#include "frontend/load_program.h"
#include "small_run.h"

namespace {

using namespace heddle;

// LLVM's readers crash on some damaged files. The tool then blames the file and exits (cli/last_words.h); here such an
// input is left out. With libFuzzer, which runs this in a process that it starts again, that process just ends. Else a
// child goes ahead; everything but LLVM's failure is then done again, and found, in this process.
constexpr int llvm_failed = 77;
#ifdef HEDDLE_LIBFUZZER
constexpr bool has_child = false;
#else
constexpr bool has_child = true;
#endif

struct sigaction former[65];

extern "C" void notice_crash(int signal) {
  if (file_read_by_llvm[0] != '\0') ::_exit(has_child ? llvm_failed : 0);
  ::sigaction(signal, &former[signal], nullptr);  // the instruction is tried again, and reported
}
void notice_llvm(void*, const char*, bool) { ::_exit(has_child ? llvm_failed : 0); }

void notice_failures() {
  static char stack[1 << 16];  // the ordinary one may be what is full
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  struct sigaction action{};
  action.sa_handler = notice_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    ::sigaction(signal, &action, &former[signal]);
  frontend::on_llvm_errors(notice_llvm, notice_llvm);
}

bool llvm_survives(const frontend::FrontendOptions& options) {
  if (!has_child) {
    static const bool prepared = (notice_failures(), true);
    return prepared;
  }
  const pid_t child = ::fork();
  if (child == 0) {
    notice_failures();
    try {
      frontend::load_program(options);
    } catch (...) {  // a finding: the parent meets it again
    }
    ::_exit(0);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return !(WIFEXITED(status) && WEXITSTATUS(status) == llvm_failed);
}

// The front end reads files by name.
const std::string& file_name() {
  static const std::string name = [] {
    const char* folder = std::getenv("TMPDIR");
    const std::string made =
        std::string(folder && *folder ? folder : "/tmp") + "/heddle-fuzz-" + std::to_string(::getpid()) + ".ll";
    std::atexit([] { std::remove(file_name().c_str()); });
    return made;
  }();
  return name;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size >= 2 && (data[0] == 'B' || data[0] == 0xde)) return 0;  // bitcode
  std::ofstream(file_name(), std::ios::binary).write(reinterpret_cast<const char*>(data),
                                                     static_cast<std::streamsize>(size));
  frontend::FrontendOptions options;
  options.files = {file_name()};
  options.loop_counters = true;
  if (!llvm_survives(options)) return 0;
  const auto program = frontend::load_program(options);
  if (!program) {
    HEDDLE_CHECK(!program.problems().empty(), "a program was refused without a reason");
    for (const Diagnostic& problem : program.problems())
      HEDDLE_CHECK(!problem.message.empty(), "a problem without a message");
    return 0;
  }
  fuzz::explore_and_replay(*program, fuzz::model("rc11"));
  return 0;
}
