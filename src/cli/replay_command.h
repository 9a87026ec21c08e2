// `heddle replay`: runs one recorded execution again, step by step, with the program's own output.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

int run_replay(const ReplayOptions& options);

}  // namespace heddle::cli
