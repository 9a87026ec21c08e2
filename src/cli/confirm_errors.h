// Has every error confirmed by the validator before it is reported.
#pragma once

#include <string>
#include <vector>

#include "bytecode/recorded_execution.h"
#include "cli/prepare.h"
#include "report/check_report.h"

namespace heddle::cli {

// Sets Violation::validated; adds a note for an error that is too long to be validated completely. An error that the
// validator refuses is a bug of Heddle: throws InternalError with what is needed to find it.
void confirm_errors(const Prepared& prepared, const report::Setup& setup, bool output_is_recorded,
                    std::vector<bytecode::Violation>& errors, std::vector<std::string>& notes);

// The text of that internal error.
std::string text_of_refusal(const report::Setup& setup, const std::string& model, const bytecode::Violation& error,
                            const std::string& reason);

}  // namespace heddle::cli
