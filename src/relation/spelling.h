// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle::relation {

// "did you mean `x`?" with the candidate nearest by edit distance, or empty if none is near.
std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace heddle::relation
