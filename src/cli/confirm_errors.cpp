// See confirm_errors.h. Tested in confirm_errors_test.cpp.
#include "cli/confirm_errors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "report/path_text.h"
#include "validate/validate.h"

namespace heddle::cli {

using validate::Validation;

std::string text_of_refusal(const report::Setup& setup, const std::string& model, const bytecode::Violation& error,
                            const std::string& reason) {
  std::string text = fmt::format("an error was found that the validator does not confirm: {} (\"{}\")\n",
                                 report::name_of(error.kind), error.message);
  text += fmt::format("  disagreement: {}\n", reason);
  text += fmt::format("  model: {}; files: {}; entry: {}\n", model, fmt::join(setup.files, " "), setup.entry);
  text += fmt::format("  clang flags: {}; unroll: {}; race detection: {}\n", fmt::join(setup.clang_flags, " "),
                      setup.unroll.value_or(0), setup.race_detection);
  text += fmt::format("  path: {}", report::encode_path(error.path));
  return text;
}

void confirm_errors(const Prepared& prepared, const report::Setup& setup, bool output_is_recorded,
                    std::vector<bytecode::Violation>& errors, std::vector<std::string>& notes) {
  validate::ValidateOptions options;
  options.unroll = setup.unroll;
  options.unordered_barriers = setup.unordered_barriers;
  options.output_is_recorded = output_is_recorded;
  for (bytecode::Violation& error : errors) {
    const Validation validation = validate::validate(prepared.program, prepared.model, error, options);
    if (validation.result == Validation::Result::refused)
      throw InternalError(text_of_refusal(setup, prepared.model.name(), error, validation.reason));
    error.validated = validation.result == Validation::Result::confirmed;
    if (!error.validated)
      notes.push_back(fmt::format("an error was not validated completely ({}): {}", report::name_of(error.kind),
                                  validation.reason));
  }
}

}  // namespace heddle::cli
