// See trace_flags.h. What is not known to be harmless is forbidden.
#include "cli/trace_flags.h"

#include <algorithm>
#include <string_view>

namespace heddle::cli {

namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool starts_with_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view prefix) { return word.starts_with(prefix); });
}

bool contains_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::any_of(list.begin(), list.end(),
                     [&](std::string_view part) { return word.find(part) != std::string_view::npos; });
}

bool takes_next_word(std::string_view flag) {
  return is_one_of(flag, {"-D", "-U", "-I", "-isystem", "-iquote", "-include", "-x"});
}

bool is_harmless(std::string_view flag) {
  if (is_one_of(flag, {"-w", "-pthread", "-pedantic", "-ansi", "-nostdinc", "-nostdinc++"})) return true;
  if (starts_with_one_of(flag, {"-D", "-U", "-I", "-isystem", "-iquote", "-std=", "-O"})) return true;
  if (flag.starts_with("-W")) return flag.find(',') == std::string_view::npos;  // not -Wl, -Wa, -Wp
  if (flag.starts_with("-g")) return flag.find("split") == std::string_view::npos;
  if (flag.starts_with("-m")) return !flag.starts_with("-mllvm");
  if (starts_with_one_of(flag, {"-ffp-contract=", "-ffp-model=", "-fvisibility="})) return true;
  if (!flag.starts_with("-f") || flag.find('=') != std::string_view::npos) return false;
  return !contains_one_of(flag, {"plugin", "save", "time-trace", "modules", "profile", "coverage", "record", "crash",
                                 "dump", "depfile", "session"});
}

}  // namespace

std::optional<std::string> forbidden_flag(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (takes_next_word(flags[i])) {
      ++i;
    } else if (!is_harmless(flags[i])) {
      return flags[i];
    }
  }
  return std::nullopt;
}

}  // namespace heddle::cli
