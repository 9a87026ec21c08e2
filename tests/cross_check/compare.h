// Compares the tool with the reference on one program: the same executions, each exactly once, the same verdict on races
// and deadlocks; with the tool's defaults and with each of its optimisations switched off.
#pragma once

#include <string>
#include <vector>

#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

struct ComparisonOptions {
  bool each_switch = true;  // off: only the defaults, and everything switched off
  ModelOptions models;      // of the reference
};

// One text a difference; empty if the tool agrees. Everything that stops the tool (an exception, a limit, a time-out, a
// model that cannot be loaded) is a difference.
std::vector<std::string> compare(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                                 const ComparisonOptions& options = {});

// The program made as small as it can be while the tool still differs under one of the models, with the differences:
// ready to be printed, and the first part to be saved as a regression.
std::string explain_failure(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                            const ComparisonOptions& options = {});

}  // namespace heddle::cross_check
