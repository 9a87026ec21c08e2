// The path of an execution (one choice a number) as compact text: choices in base 36, separated by dots, a run of
// equal choices once with its length: 0 0 0 0 1 40 is "0*4.1.14". Tested by a round trip in path_text_test.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::report {

std::string encode_path(const std::vector<std::uint32_t>& path);
// Nothing if the text is no path.
std::optional<std::vector<std::uint32_t>> decode_path(std::string_view text);

}  // namespace heddle::report
