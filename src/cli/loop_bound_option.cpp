// See loop_bound_option.h. Tested in options_test.cpp.
#include "cli/loop_bound_option.h"

#include <charconv>
#include <cstdint>
#include <string_view>

namespace heddle::cli {

namespace {

std::optional<std::uint32_t> positive_number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

}  // namespace

std::optional<frontend::LoopBoundOption> parse_loop_bound(const std::string& text) {
  const std::size_t equals = text.rfind('=');
  const std::size_t colon = equals == std::string::npos ? std::string::npos : text.rfind(':', equals);
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  const auto line = positive_number(std::string_view(text).substr(colon + 1, equals - colon - 1));
  const auto bound = positive_number(std::string_view(text).substr(equals + 1));
  if (!line || !bound || *bound > 0x7fffffff) return std::nullopt;
  return frontend::LoopBoundOption{text.substr(0, colon), *line, *bound};
}

}  // namespace heddle::cli
