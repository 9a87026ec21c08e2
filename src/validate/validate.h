// Confirms an error before it is reported, by code that shares nothing with what found it: the program is run anew
// along the recorded execution by a second interpreter, the execution is judged by the literal text of the model, and
// the error has to show itself again. Does nothing for programs without errors.
// Tested in validate_test.cpp and mutation_test.cpp, and by every data test that expects an error.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"
#include "consistency/model.h"

namespace heddle::validate {

struct ValidateOptions {
  std::optional<std::uint32_t> unroll;     // the bound on loops that the execution was found with
  bool unordered_barriers = true;          // as the execution was found
  bool output_is_recorded = false;         // as in replays
  std::size_t largest_graph = 5000;        // events, with initial writes, that the model is evaluated on
};

struct Validation {
  enum class Result {
    confirmed,
    refused,     // a bug of Heddle: `reason` says what disagreed
    incomplete,  // nothing disagreed, but not everything was checked: `reason` says what was not
  };
  Result result = Result::refused;
  std::string reason;
};

Validation validate(const bytecode::Program& program, const consistency::Model& model,
                    const bytecode::Violation& violation, const ValidateOptions& options);

// The same without an error: is this something that the program does and the model allows? For tests.
Validation validate_execution(const bytecode::Program& program, const consistency::Model& model,
                              const bytecode::RecordedExecution& execution, const ValidateOptions& options);

}  // namespace heddle::validate
