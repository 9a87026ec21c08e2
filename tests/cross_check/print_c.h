// A litmus program as C11 with pthreads, so that it can be taken through the whole front end. Several programs go into one
// file: main chooses one of them, so the executions of the file are those of all its programs together. Tested in
// print_c_test.cpp and by tests/random_c.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "litmus_program.h"
#include "reference_explorer.h"

namespace heddle::cross_check {

// Barriers are left out of this: in C the order of arrival counts.
bool can_be_printed_as_c(const LitmusProgram& program);

std::string print_c(const std::vector<LitmusProgram>& programs);

// The lines that tell tests/run_cases.py what to expect: the number of executions, or the errors. Empty if the reference
// cannot tell: a program is misused, or several have errors, of which only one would be reported.
std::string print_expectations(const std::vector<LitmusProgram>& programs, const std::vector<ReferenceModel>& models);

}  // namespace heddle::cross_check
