// Invariant checks that stay on in release builds: a broken invariant in a verifier must never become a verdict.
// HEDDLE_CHECK(condition, "sentence") throws InternalError, which the command line turns into exit code 70.
// HEDDLE_PARANOID does the same but only in sanitizer and test builds; use it for checks that cost more than O(1).
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void fail_check(const char* condition, const char* sentence, const char* file, int line) {
  throw InternalError(std::string(sentence) + " [" + condition + " at " + file + ":" + std::to_string(line) + "]");
}

}  // namespace heddle

#define HEDDLE_CHECK(condition, sentence) \
  (__builtin_expect(!!(condition), 1) ? void(0) : ::heddle::fail_check(#condition, sentence, __FILE__, __LINE__))

#ifdef HEDDLE_PARANOID_CHECKS
#define HEDDLE_PARANOID(condition, sentence) HEDDLE_CHECK(condition, sentence)
#else
#define HEDDLE_PARANOID(condition, sentence) void(0)
#endif
