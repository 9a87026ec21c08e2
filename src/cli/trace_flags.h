// Which options for clang a recorded trace may ask for. A trace is data from anywhere: options that load code into the
// compiler, run programs or write files must not come from it. Tested in trace_flags_test.cpp.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace heddle::cli {

// The first option that a trace must not ask for, if there is one.
std::optional<std::string> forbidden_flag(const std::vector<std::string>& flags);

}  // namespace heddle::cli
