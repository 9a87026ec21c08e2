// A litmus program from its text, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "litmus_program.h"

namespace heddle::cross_check {

inline LitmusProgram program_of(const std::string& text) {
  Result<LitmusProgram> program = parse_program(text, "test");
  if (!program) {
    ADD_FAILURE() << program.problems()[0].message << " in line " << program.problems()[0].line << "\n" << text;
    return {};
  }
  return *program;
}

}  // namespace heddle::cross_check
