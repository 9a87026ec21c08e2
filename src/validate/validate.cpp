// See validate.h.
#include "validate/validate.h"

#include <fmt/format.h>

#include "validate/judge_error.h"
#include "validate/model_judgement.h"
#include "validate/second_run.h"

namespace heddle::validate {

namespace {

Validation confirm(const bytecode::Program& program, const consistency::Model& model,
                   const bytecode::Violation& violation, const ValidateOptions& options, bool with_error) {
  RunSettings settings;
  settings.loop_bound = options.unroll.value_or(0);
  settings.unordered_barriers = options.unordered_barriers;
  settings.output_is_visible = options.output_is_recorded;
  try {
    SecondRun run(program, violation, settings);
    run.run();
    if (ModelJudgement::size_of(run) > options.largest_graph) {
      if (with_error) judge_error(run, violation, nullptr);
      return {Validation::Result::incomplete,
              fmt::format("an execution of {} events is too long to be judged by the model's text; the program was run "
                          "again along it",
                          violation.execution.events.size())};
    }
    ModelJudgement judgement(model, run);
    std::string broken_rule;
    if (!judgement.allows(&broken_rule)) throw Refusal{"the model does not allow the execution: " + broken_rule};
    if (with_error) judge_error(run, violation, &judgement);
    return {Validation::Result::confirmed, ""};
  } catch (const Refusal& refusal) {
    return {Validation::Result::refused, refusal.what};
  } catch (const TooLong& run) {
    return {Validation::Result::incomplete, "the program could not be run again along the execution: " + run.why};
  }
}

}  // namespace

Validation validate(const bytecode::Program& program, const consistency::Model& model,
                    const bytecode::Violation& violation, const ValidateOptions& options) {
  return confirm(program, model, violation, options, true);
}

Validation validate_execution(const bytecode::Program& program, const consistency::Model& model,
                              const bytecode::RecordedExecution& execution, const ValidateOptions& options) {
  bytecode::Violation without_error;
  without_error.execution = execution;
  return confirm(program, model, without_error, options, false);
}

}  // namespace heddle::validate
