// What is wrong with the user's input, as data: where, what, and what to do about it.
// Anything that reads input collects diagnostics instead of printing or throwing.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace heddle {

struct Diagnostic {
  std::string file;     // empty if the problem has no file
  unsigned line = 0;    // 1-based; 0 if unknown
  unsigned column = 0;  // 1-based; 0 if unknown
  std::string message;  // what is wrong
  std::string hint;     // what to do, or empty
  std::string excerpt;  // the offending source line, or empty; a caret is drawn under `column`
};

using Diagnostics = std::vector<Diagnostic>;

// Either a result or the reasons why there is none.
template <class T>
class Result {
 public:
  Result(T value) : content_(std::move(value)) {}
  Result(Diagnostics problems) : content_(std::move(problems)) {}
  Result(Diagnostic problem) : content_(Diagnostics{std::move(problem)}) {}

  explicit operator bool() const { return content_.index() == 0; }
  T& operator*() { return std::get<0>(content_); }
  const T& operator*() const { return std::get<0>(content_); }
  T* operator->() { return &std::get<0>(content_); }
  const T* operator->() const { return &std::get<0>(content_); }
  const Diagnostics& problems() const { return std::get<1>(content_); }

 private:
  std::variant<T, Diagnostics> content_;
};

}  // namespace heddle
