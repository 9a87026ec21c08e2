// For tests: expressions and models from text.
#pragma once

#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "base/check.h"
#include "prover/language.h"
#include "relation/model_file.h"

namespace heddle::prover::test {

inline relation::ModelFile model(const std::string& text, const std::string& path = "test.kat") {
  Diagnostics problems;
  const auto read_file = [](const std::string& name) -> std::optional<std::string> {
    std::ifstream stream(name);
    if (!stream) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  relation::ModelFile file = relation::read_model(text, path, read_file, problems);
  HEDDLE_CHECK(problems.empty(), problems.empty() ? "" : (text + ": " + problems[0].message).c_str());
  return file;
}

// `X & loc` with a closure X is not in the language of model files unless X is a view: such closures are written as
// views here.
inline relation::ExpressionPointer expression(std::string text) {
  std::string views;
  for (unsigned n = 0;; ++n) {
    const std::size_t end = text.find(")+ & loc");
    if (end == std::string::npos) break;
    std::size_t begin = end;
    for (unsigned depth = 1; depth > 0;) {
      --begin;
      if (text[begin] == ')') ++depth;
      if (text[begin] == '(') --depth;
    }
    const std::string name = "view-" + std::to_string(n);
    views += "view " + name + " = " + text.substr(begin, end + 2 - begin) + "\n";
    text.replace(begin, end + 2 - begin, name);
  }
  const relation::ModelFile file = model(views + "empty " + text);
  return inline_views(file.constraints.at(0).expression, file.views);
}

}  // namespace heddle::prover::test
