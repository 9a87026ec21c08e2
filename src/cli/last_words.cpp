// See last_words.h. Handlers only write to a descriptor and end the process: nothing else is allowed in them, and
// nothing else is needed, because reports appear whole or not at all.
#include "cli/last_words.h"

#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include <fcntl.h>
#include <unistd.h>

#include "base/last_words.h"
#include "cli/options.h"
#include "frontend/llvm_errors.h"

namespace heddle::cli {

namespace {

std::string command_line;  // never changes once it is set: handlers may read it

void say(const char* text) {
  for (std::size_t done = 0, size = std::strlen(text); done < size;) {
    const ssize_t count = ::write(STDERR_FILENO, text + done, size - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

int blame_heddle(const char* what) {
  say("heddle: internal error: ");
  say(what);
  say("\n  while running: heddle ");
  say(command_line.c_str());
  say("\n  This is a bug in Heddle, not in your program, and no verdict was reached.\n"
      "  Please report it, with the line above and the input files.\n");
  return exit_internal_error;
}

// LLVM crashed or gave up.
int blame_file(const char* what) {
  say(file_read_by_llvm);
  say(": error: LLVM cannot read this file: ");
  say(what);
  say("\n  The file is damaged, or not meant for LLVM 19; no verdict was reached.\n");
  return exit_input;
}

int blame(const char* what) { return file_read_by_llvm[0] != '\0' ? blame_file(what) : blame_heddle(what); }

extern "C" void die_of_crash(int signal) {
  const char* what = "it crashed";
  switch (signal) {
    case SIGSEGV: what = "it touched memory that is not there, or the stack is full"; break;
    case SIGBUS: what = "it touched memory that cannot be had"; break;
    case SIGFPE: what = "it did an impossible division"; break;
    case SIGABRT: what = "it ended itself"; break;
    default: break;
  }
  ::_exit(blame(what));
}

extern "C" void die_of_endless_reading(int) { ::_exit(blame_file("it does not come to an end")); }

extern "C" void die_of_interrupt(int) {
  say("heddle: interrupted\nverdict: unknown\n");
  ::_exit(exit_unknown);
}

void die_of_llvm(void*, const char* reason, bool) { ::_exit(blame(reason)); }
void die_of_llvm_memory(void*, const char*, bool) { ::_exit(report_out_of_memory()); }

[[noreturn]] void die_of_exception() {
  const char* what = "an exception where none may be";
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc&) {
    ::_exit(report_out_of_memory());
  } catch (const std::exception& error) {
    ::_exit(blame(error.what()));
  } catch (...) {
    what = "an exception of unknown type";
  }
  ::_exit(blame(what));
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

// A closed standard output is opened such that writing to it fails: the report must not seem to have been written.
void open_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) >= 0) continue;
    const int opened = ::open("/dev/null", file == STDERR_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != file) {
      ::dup2(opened, file);
      ::close(opened);
    }
  }
}

}  // namespace

void prepare_last_words(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) command_line += std::string(i == 1 ? "" : " ") + argv[i];
  open_standard_files();
  std::signal(SIGXFSZ, SIG_IGN);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // sanitizers have more to say
  static char stack[1 << 16];                                        // the ordinary one may be what is full
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    handle(signal, die_of_crash, static_cast<int>(SA_ONSTACK | SA_RESETHAND));
#endif
  handle(SIGPROF, die_of_endless_reading, 0);
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, die_of_interrupt, 0);
  std::set_terminate(die_of_exception);
  frontend::on_llvm_errors(die_of_llvm, die_of_llvm_memory);
}

int report_internal_error(const char* what) { return blame_heddle(what); }

int report_out_of_memory() {
  say("heddle: out of memory\nverdict: unknown\n");
  return exit_unknown;
}

int report_unwritable() {
  say("heddle: cannot write the output\nverdict: unknown\n");
  return exit_unknown;
}

}  // namespace heddle::cli
