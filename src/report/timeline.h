// The steps that matter as text: in the order of an interleaving, numbered by turns of the threads; or, if there is no
// interleaving, side by side (stacked if that is too wide), followed by the circle that explains why.
#pragma once

#include <string>

#include "report/describe_step.h"

namespace heddle::report {

// Colours for terminals; with `on` false, text passes unchanged.
struct Paint {
  bool on = false;
  std::string red(const std::string& text) const { return wrap("\033[1;31m", text); }
  std::string yellow(const std::string& text) const { return wrap("\033[1;33m", text); }
  std::string green(const std::string& text) const { return wrap("\033[1;32m", text); }
  std::string bold(const std::string& text) const { return wrap("\033[1m", text); }
  std::string dim(const std::string& text) const { return wrap("\033[2m", text); }

 private:
  std::string wrap(const char* begin, const std::string& text) const { return on ? begin + text + "\033[0m" : text; }
};

std::string timeline(const Names& names, const bytecode::Violation& violation, const std::string& model,
                     const Paint& paint);

// Every event of every thread: the whole graph.
std::string all_events(const Names& names, const bytecode::Violation& violation, const Paint& paint);

}  // namespace heddle::report
