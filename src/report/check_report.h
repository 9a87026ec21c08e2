// Everything a report says about one `check`, as plain data: what was asked, what came out, what it cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"

namespace heddle::report {

inline constexpr const char* tool_version = "0.1.0";
inline constexpr int trace_format = 1;  // of the JSON that `heddle replay` reads

enum class Verdict { verified, violated, bounded, unknown };

const char* name_of(Verdict verdict);
const char* name_of(bytecode::ErrorKind kind);  // as in JSON: "use-after-free"

// What replaying needs: the same input, read and explored in the same way.
struct Setup {
  std::vector<std::string> files;
  std::vector<std::string> clang_flags;
  std::string entry = "main";
  std::string model = "rc11";            // name or file, as given
  std::optional<std::uint32_t> unroll;
  std::vector<std::string> unroll_loops;  // FILE:LINE=N
  std::vector<std::string> no_unroll;     // functions
  bool race_detection = true;
  bool liveness = true;
  bool spin_assume = true;
  bool unordered_barriers = true;
  bool spurious_wakeups = false;
  bool merge_peeled_rounds = true;
  bool maximal_shortcut = true;
  bool specialise_model = true;
  bool writes_first = true;
  bool cycle_filter = true;
  bool remember_threads = true;
  bool prune_futile = true;
  bool ignore_rewriting = true;
  bool undone_updates = true;
  bool undone_among_others = true;
  std::uint64_t step_limit = 0;          // 0: the default

  friend bool operator==(const Setup&, const Setup&) = default;
};

struct Bound {
  bytecode::CodePosition position;
  std::uint64_t cuts = 0;
  std::optional<std::uint32_t> limit;  // iterations
  bool own = false;                    // a bound for this loop alone
};

struct CheckReport {
  Setup setup;
  std::string model_name;                // "rc11", also if a file was given
  std::string equivalence = "co";
  Verdict verdict = Verdict::unknown;
  std::string reason;                    // why unknown: one sentence without a full stop
  std::uint64_t complete = 0, blocked = 0, bounded = 0;
  std::uint64_t dropped = 0;             // not counted: the model's late constraints forbid them
  std::uint64_t events_added = 0, consistency_checks = 0, revisits = 0, thread_runs = 0;  // the work it took
  std::vector<bytecode::Violation> errors;
  std::vector<bytecode::Violation> warnings;   // leaks
  std::vector<Bound> bounds;
  std::vector<std::string> notes;        // further warnings, a sentence each
  Diagnostics problems;                  // what kept the exploration from going on, if anything
  double seconds = 0;
  std::uint64_t peak_memory_mb = 0;
  unsigned workers = 1;
};

}  // namespace heddle::report
