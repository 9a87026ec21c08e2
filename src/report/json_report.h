// The report for programs: one JSON object. Fields may be added, never renamed; scripts and editors depend on them.
// It is also the trace that `heddle replay` reads (json_reader.h): "format", "replay" and each error's "path".
#pragma once

#include <string>

#include "report/check_report.h"

namespace heddle::report {

std::string json_report(const bytecode::Program& program, const CheckReport& report);

}  // namespace heddle::report
