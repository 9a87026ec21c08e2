// For the tests of the front end: C text to a file, a file to a program.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "frontend/load_program.h"

namespace heddle::frontend {

// A directory that goes away with the object.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
    if (mkdtemp(pattern.data())) path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  std::string write(const std::string& name, const std::string& text) const {
    const std::string path = path_ + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string messages_of(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) {
    text += problem.file + ":" + std::to_string(problem.line) + ": " + problem.message + " " + problem.hint + "\n";
  }
  return text;
}

// The program, which must load.
inline bytecode::Program load_text(const std::string& text, FrontendOptions options = {},
                                   const std::string& name = "program.c") {
  TemporaryDirectory directory;
  options.files = {directory.write(name, text)};
  auto program = load_program(options);
  if (!program) {
    ADD_FAILURE() << messages_of(program.problems());
    return {};
  }
  return std::move(*program);
}

}  // namespace heddle::frontend
