// What check and replay share: loading the model and the program, and the explorer's options for a setup.
#pragma once

#include <optional>
#include <string>

#include "bytecode/program.h"
#include "cli/options.h"
#include "consistency/model.h"
#include "explore/explorer.h"

namespace heddle::cli {

struct Prepared {
  consistency::Model model;
  bytecode::Program program;
  double model_milliseconds = 0;  // that reading and compiling the model to automata took
};

// Nothing if the input is bad; the problems are then on standard error and `exit_code` says how to end.
// The compiler's warnings go to standard error, too, unless `quiet`.
std::optional<Prepared> prepare(const report::Setup& setup, bool color, bool quiet, int& exit_code);

explore::ExploreOptions explore_options(const report::Setup& setup);

// What stopped an exploration, with where in the source.
Diagnostic describe_obstacle(const bytecode::Program& program, const explore::Obstacle& obstacle);

// From now on SIGINT and SIGTERM set the flag that this returns; the second one ends the process at once.
const std::atomic<bool>* stop_on_signals();

std::uint64_t peak_memory_mb();

}  // namespace heddle::cli
