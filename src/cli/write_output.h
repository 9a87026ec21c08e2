// Where reports go: standard output, or a file that appears whole or not at all.
#pragma once

#include <string>

namespace heddle::cli {

// Empty `path`: standard output. Returns an error message, or empty if all went well.
std::string write_output(const std::string& text, const std::string& path);

// Colours only where a person looks: a terminal, and neither --no-color nor NO_COLOR.
bool wants_color(bool no_color, int file_descriptor);

}  // namespace heddle::cli
