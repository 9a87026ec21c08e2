// What became of each loop of the program, a sentence each: for --verbose.
#pragma once

#include <string>
#include <vector>

#include "bytecode/program.h"
#include "explore/explorer.h"
#include "report/check_report.h"

namespace heddle::cli {

std::vector<std::string> describe_loops(const bytecode::Program& program, const report::Setup& setup,
                                        const explore::ExploreResult& result);

}  // namespace heddle::cli
