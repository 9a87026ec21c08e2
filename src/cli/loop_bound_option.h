// FILE:LINE=N, as --unroll-loop takes it.
#pragma once

#include <optional>
#include <string>

#include "frontend/load_program.h"

namespace heddle::cli {

std::optional<frontend::LoopBoundOption> parse_loop_bound(const std::string& text);

}  // namespace heddle::cli
