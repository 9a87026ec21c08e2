// Reads back what `heddle check --format json` wrote: enough to run one of its errors again. Takes any file: foreign,
// truncated or hostile text gives diagnostics.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "report/check_report.h"

namespace heddle::report {

struct Trace {
  Setup setup;
  std::string kind;       // of the error
  std::string message;
  std::string file;       // where it happened; empty if unknown
  std::uint32_t line = 0;
  std::vector<std::uint32_t> path;
};

// `name` stands for the file in messages; `error` counts from 1.
Result<Trace> parse_trace(const std::string& text, const std::string& name, unsigned error);
Result<Trace> read_trace(const std::string& path, unsigned error);

}  // namespace heddle::report
