// See path_text.h. The decoder takes any text: it refuses what does not fit 32 bits and runs that only waste memory.
#include "report/path_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace heddle::report {

namespace {

constexpr std::size_t longest_path = 500'000;  // choices; no execution within the event limit comes near

void append_number(std::string& text, std::uint64_t number) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, number, 36).ptr;
  text.append(digits, end);
}

std::optional<std::uint32_t> read_number(std::string_view text) {
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, 36);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string encode_path(const std::vector<std::uint32_t>& path) {
  std::string text;
  for (std::size_t i = 0; i < path.size();) {
    std::size_t end = i + 1;
    while (end < path.size() && path[end] == path[i]) ++end;
    if (!text.empty()) text += '.';
    append_number(text, path[i]);
    if (end - i > 1) {
      text += '*';
      append_number(text, end - i);
    }
    i = end;
  }
  return text;
}

std::optional<std::vector<std::uint32_t>> decode_path(std::string_view text) {
  std::vector<std::uint32_t> path;
  if (text.empty()) return path;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('.', begin), text.size());
    const std::string_view part = text.substr(begin, end - begin);
    const std::size_t star = part.find('*');
    const auto choice = read_number(part.substr(0, star));
    std::optional<std::uint32_t> times = 1;
    if (star != std::string_view::npos) times = read_number(part.substr(star + 1));
    if (!choice || !times || *times == 0 || *times > longest_path - path.size()) return std::nullopt;
    path.insert(path.end(), *times, *choice);
    begin = end + 1;
  }
  return path;
}

}  // namespace heddle::report
