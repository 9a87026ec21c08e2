// The report for people. What went wrong comes first, in the source's own words; then the few steps that matter; then
// an interleaving, or the reordering that makes it possible. The last three lines are fixed: verdict, executions, time.
#pragma once

#include <string>

#include "report/check_report.h"

namespace heddle::report {

struct TextOptions {
  bool color = false;
  bool quiet = false;  // headlines only
  bool verbose = false;  // every event too
};

std::string text_report(const bytecode::Program& program, const CheckReport& report, const TextOptions& options);

// One error: headline, place, facts, timeline. Also what `replay` prints at its end.
std::string text_of_error(const bytecode::Program& program, const bytecode::Violation& violation,
                          const std::string& model, const TextOptions& options);

// "file.c:3:7: error: what is wrong", the source line with a caret, and the hint.
std::string text_of(const Diagnostic& problem, bool color);

}  // namespace heddle::report
