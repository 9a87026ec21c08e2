// The words of verdicts and errors that scripts depend on.
#include "report/check_report.h"

namespace heddle::report {

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::verified: return "verified";
    case Verdict::violated: return "violated";
    case Verdict::bounded: return "bounded";
    case Verdict::unknown: return "unknown";
  }
  return "unknown";
}

const char* name_of(bytecode::ErrorKind kind) {
  using bytecode::ErrorKind;
  switch (kind) {
    case ErrorKind::assertion: return "assertion";
    case ErrorKind::race: return "race";
    case ErrorKind::use_after_free: return "use-after-free";
    case ErrorKind::double_free: return "double-free";
    case ErrorKind::invalid_free: return "invalid-free";
    case ErrorKind::out_of_bounds: return "out-of-bounds";
    case ErrorKind::uninitialized: return "uninitialized";
    case ErrorKind::null_dereference: return "null-dereference";
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::liveness: return "liveness";
    case ErrorKind::lock_misuse: return "lock-misuse";
    case ErrorKind::barrier_misuse: return "barrier-misuse";
    case ErrorKind::thread_misuse: return "thread-misuse";
    case ErrorKind::division_by_zero: return "division-by-zero";
    case ErrorKind::undefined_behavior: return "undefined-behavior";
    case ErrorKind::memory_leak: return "memory-leak";
  }
  return "undefined-behavior";
}

}  // namespace heddle::report
