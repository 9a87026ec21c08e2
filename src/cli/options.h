// The command line as data. The only file that knows CLI11 is options.cpp.
// Anything wrong with the command line, and anything that is only a text to print (--help, --version), is an Answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "report/check_report.h"

namespace heddle::cli {

// Exit codes, part of the contract with scripts.
enum Exit : int {
  exit_verified = 0,
  exit_command_line = 2,
  exit_input = 3,
  exit_unknown = 4,
  exit_bounded = 10,
  exit_violated = 42,
  exit_internal_error = 70,
};

enum class Format { text, json, dot };

// How the model is run: as compiled code, as tables, or as code once the run turns out to be long.
enum class CheckerKind { automatic, native, table };

struct CheckOptions {
  report::Setup setup;
  Format format = Format::text;
  std::string output;                          // empty: standard output
  std::optional<double> timeout_seconds;
  std::optional<std::uint64_t> memory_limit_mb;
  std::optional<unsigned> jobs;
  CheckerKind checker = CheckerKind::automatic;
  bool cache = true;                           // keep compiled code on disk
  bool keep_going = false, accept_bounded = false;
  bool quiet = false, verbose = false, no_color = false;
};

struct ReplayOptions {
  std::string trace;
  unsigned error = 1;                          // which of the trace's errors
  bool quiet = false, verbose = false, no_color = false;
};

struct ModelsOptions {
  std::string name;                            // empty: list them all
  Format format = Format::text;                // text or json
  bool verbose = false;                        // look longer for proofs, name the pairs without one
};

// Print this and stop.
struct Answer {
  int exit_code = 0;
  std::string text;                            // to standard output if the exit code is 0, else to standard error
};

using Command = std::variant<Answer, CheckOptions, ReplayOptions, ModelsOptions>;

Command read_command_line(int argc, const char* const* argv);

}  // namespace heddle::cli
