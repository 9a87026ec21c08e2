// See spelling.h. Tested in parser_test.cpp.
#include "relation/spelling.h"

#include <algorithm>

namespace heddle::relation {
namespace {

char folded(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Levenshtein distance, one row at a time. An edit counts 2, another case of the same letter 1.
unsigned edit_distance(std::string_view a, std::string_view b) {
  std::vector<unsigned> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<unsigned>(2 * j);
  for (std::size_t i = 0; i < a.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(2 * (i + 1));
    for (std::size_t j = 0; j < b.size(); ++j) {
      const unsigned replaced = diagonal + (a[i] == b[j] ? 0 : folded(a[i]) == folded(b[j]) ? 1 : 2);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 2, row[j + 1] + 2});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates) {
  if (word.size() > 60) return "";
  unsigned best_distance = word.size() <= 2 ? 4 : static_cast<unsigned>(2 + word.size() / 3 * 2);
  std::string_view best;
  for (std::string_view candidate : candidates) {
    const unsigned distance = edit_distance(word, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best.empty() ? "" : "did you mean `" + std::string(best) + "`?";
}

}  // namespace heddle::relation
