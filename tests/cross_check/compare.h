// Compares the tool with the reference on one program: the same executions, each exactly once, the same verdict on
// races, deadlocks and misused memory; with the tool's defaults and with each of its optimisations switched off.
//
// Programs with barriers: executions are compared as sets, up to the order of arrival (see canonical_key.h); that none
// is explored twice is checked on everything that the tool itself records, whatever that is.
//
// The tool does not go on after some errors (races, uses of freed memory). What it would have reached from there may be
// missing: other executions, other errors, a deadlock. But one such error is found, and none that is not there, and the
// executions that it does deliver are real ones, each delivered once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "litmus_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

// Under which of its settings the tool runs.
enum class Settings {
  one,    // the defaults
  two,    // the defaults, and one of the others that `turn` selects; at every eighth turn three
  three,  // the defaults, everything switched off, and one of the others that `turn` selects
  each,   // every one; always without race detection as well
};

struct ComparisonOptions {
  Settings settings = Settings::each;
  std::uint64_t turn = 0;
  bool compiled = false;    // also with compiled code fitted to the program: takes LLVM's time for every one
  ModelOptions models;      // of the reference
};

// One text a difference; empty if the tool agrees. Everything that stops the tool (an exception, a limit, a time-out, a
// model that cannot be loaded) is a difference. Programs that do what the program form does not define are not
// compared: they count as agreeing.
std::vector<std::string> compare(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                                 const ComparisonOptions& options = {});

// The program made as small as it can be while the tool still differs under one of the models, with the differences:
// ready to be printed, and the first part to be saved as a regression.
std::string explain_failure(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                            const ComparisonOptions& options = {});

}  // namespace heddle::cross_check
