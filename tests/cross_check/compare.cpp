// See compare.h.
#include "compare.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <set>

#include "canonical_key.h"
#include "explore/explorer.h"
#include "loaded_models.h"
#include "reference_explorer.h"
#include "shrink.h"
#include "to_bytecode.h"
#include "validate/validate.h"

namespace heddle::cross_check {

namespace {

constexpr double time_limit_seconds = 30;
constexpr std::size_t most_validated = 4;  // executions a run; errors are always validated

struct Setting {
  const char* name;
  bool maximal_shortcut = true, specialise_model = true, writes_first = true, cycle_filter = true,
       remember_threads = true, unordered_barriers = true, idle_ends = true, prune_futile = true;
  bool compiled = false;  // run the model as compiled code, where the build has it
};

const Setting defaults{.name = "defaults"};
const Setting single_switches[] = {
    {.name = "maximal_shortcut off", .maximal_shortcut = false},
    {.name = "specialise_model off", .specialise_model = false},
    {.name = "writes_first off", .writes_first = false},
    {.name = "cycle_filter off", .cycle_filter = false},
    {.name = "remember_threads off", .remember_threads = false},
    {.name = "unordered_barriers off", .unordered_barriers = false},
    {.name = "idle_ends off", .idle_ends = false},
    {.name = "prune_futile off", .prune_futile = false},
    {.name = "compiled, specialise_model off", .specialise_model = false, .compiled = true},
    {.name = "compiled, specialise_model and cycle_filter off", .specialise_model = false, .cycle_filter = false,
     .compiled = true},
};
const Setting everything_off{.name = "all switches off",
                             .maximal_shortcut = false,
                             .specialise_model = false,
                             .writes_first = false,
                             .cycle_filter = false,
                             .remember_threads = false,
                             .unordered_barriers = false,
                             .idle_ends = false,
                             .prune_futile = false};

const Setting compiled{.name = "compiled", .compiled = true};

struct ToolRun {
  explore::ExploreResult result;
  std::vector<std::string> keys;  // sorted
  std::vector<std::string> full_keys;  // likewise; only for programs with barriers: else one tells as much as the other
  std::string failure;  // why there is no result

  std::size_t count_distinct() const {
    const std::vector<std::string>& all = full_keys.empty() ? keys : full_keys;
    std::size_t count = 0;
    for (std::size_t i = 0; i < all.size(); i++) count += i == 0 || all[i] != all[i - 1];
    return count;
  }

  bool found(bytecode::ErrorKind kind) const {
    return std::any_of(result.violations.begin(), result.violations.end(),
                       [&](const bytecode::Violation& violation) { return violation.kind == kind; });
  }
};

const char* name_of(explore::Outcome outcome) {
  switch (outcome) {
    case explore::Outcome::finished: return "finished";
    case explore::Outcome::timeout: return "time-out";
    case explore::Outcome::out_of_memory: return "out of memory";
    case explore::Outcome::interrupted: return "interrupted";
    case explore::Outcome::unsupported: return "unsupported";
    case explore::Outcome::limit: return "limit";
  }
  return "?";
}

class Comparison {
 public:
  Comparison(const LitmusProgram& program, ReferenceModel model, const ReferenceResult& reference)
      : program_(program), bytecode_(to_bytecode(program)), model_(model), reference_(reference) {}

  // Without plain accesses there is nothing that race detection could change, but for each setting's sake.
  void run(const Setting& setting, bool thoroughly) {
    if (thoroughly || has_plain_accesses()) check_executions(setting, false);
    check_executions(setting, true);
    check_first_error(setting);
  }

  std::vector<std::string> take_differences() { return std::move(differences_); }

 private:
  bool has_plain_accesses() const {
    return std::any_of(program_.threads.begin(), program_.threads.end(), [](const LitmusThread& thread) {
      return std::any_of(thread.begin(), thread.end(),
                         [](const Operation& operation) { return operation.order == MemoryOrder::plain; });
    });
  }

  void report(const Setting& setting, const std::string& what) {
    differences_.push_back(std::string(cross_check::name_of(model_)) + ", " + setting.name + ": " + what);
  }

  // `watch`: look at every execution.
  ToolRun explore_program(const Setting& setting, bool race_detection, bool keep_going, bool watch = true) const {
    ToolRun run;
    explore::ExploreOptions options;
    options.race_detection = race_detection;
    options.keep_going = keep_going;
    options.detect_duplicates = watch;
    options.maximal_shortcut = setting.maximal_shortcut;
    options.specialise_model = setting.specialise_model;
    options.writes_first = setting.writes_first;
    options.cycle_filter = setting.cycle_filter;
    options.remember_threads = setting.remember_threads;
    options.unordered_barriers = setting.unordered_barriers;
    options.idle_ends = setting.idle_ends;
    options.prune_futile = setting.prune_futile;
    if (setting.compiled) options.native = {shared_generator(), 0};
    options.timeout_seconds = time_limit_seconds;
    const auto collect = [&](const bytecode::RecordedExecution& execution) {
      run.keys.push_back(canonical_key(program_, execution));
      if (!program_.barriers.empty()) run.full_keys.push_back(full_key(execution));
      if (run.keys.size() <= most_validated)
        note(run, validate::validate_execution(bytecode_, *loaded_model(model_), execution, options_for(execution)));
    };
    if (watch) options.on_execution = collect;
    options.on_restart = [&] { run = {}; };
    try {
      run.result = explore::explore(bytecode_, *loaded_model(model_), options);
    } catch (const std::exception& error) {
      run.failure = std::string("exception: ") + error.what();
      return run;
    }
    for (const bytecode::Violation& violation : run.result.violations)
      note(run, validate::validate(bytecode_, *loaded_model(model_), violation, options_for(violation.execution)));
    if (run.result.outcome != explore::Outcome::finished) {
      run.failure = std::string("outcome: ") + name_of(run.result.outcome);
      if (run.result.obstacle) run.failure += ": " + run.result.obstacle->message;
    }
    std::sort(run.keys.begin(), run.keys.end());
    std::sort(run.full_keys.begin(), run.full_keys.end());
    return run;
  }

  // Whether barriers were explored with their order of arrivals may change while a program is explored.
  static validate::ValidateOptions options_for(const bytecode::RecordedExecution& execution) {
    validate::ValidateOptions options;
    options.unordered_barriers =
        std::none_of(execution.events.begin(), execution.events.end(),
                     [](const auto& event) { return event.access == bytecode::AccessKind::barrier_arrive; });
    return options;
  }

  static void note(ToolRun& run, const validate::Validation& validation) {
    if (validation.result != validate::Validation::Result::confirmed)
      run.failure = "the validator does not confirm it: " + validation.reason;
  }

  // All errors are collected. With race detection a racy program's executions are not compared: it has none to rely on.
  void check_executions(const Setting& setting, bool race_detection) {
    const ToolRun run = explore_program(setting, race_detection, true);
    const std::string suffix = race_detection ? " (with race detection)" : "";
    if (!run.failure.empty()) {
      report(setting, run.failure + suffix);
      return;
    }
    check_errors(setting, run, race_detection, suffix);
    if (!race_detection) check_unwatched(setting, run);
    if (!race_detection || !reference_.race) check_keys(setting, run, suffix);
  }

  // An exploration that nobody watches may leave out what nobody needs; what it finds is the same.
  void check_unwatched(const Setting& setting, const ToolRun& watched) {
    const ToolRun run = explore_program(setting, false, true, false);
    if (!run.failure.empty()) return report(setting, run.failure + " (unwatched)");
    const auto summary = [](const explore::ExploreResult& result) {
      std::string text = std::to_string(result.complete) + " complete, " + std::to_string(result.blocked) + " blocked";
      for (const bytecode::Violation& violation : result.violations)
        text += "; " + violation.message + " at " + std::to_string(violation.position.instruction) + " of thread " +
                std::to_string(violation.thread) + " with " + std::to_string(violation.execution.events.size()) +
                " events";
      return text;
    };
    if (summary(run.result) != summary(watched.result))
      report(setting, "unwatched " + summary(run.result) + ", watched " + summary(watched.result));
  }

  void check_errors(const Setting& setting, const ToolRun& run, bool race_detection, const std::string& suffix) {
    using bytecode::ErrorKind;
    struct Expectation {
      ErrorKind kind;
      bool expected;
      const char* name;
    };
    const Expectation stopping[] = {{ErrorKind::race, race_detection && reference_.race, "race"},
                                    {ErrorKind::use_after_free, reference_.use_after_free, "use after free"},
                                    {ErrorKind::double_free, reference_.double_free, "double free"}};
    int expected = 0, found = 0;
    std::string missing;
    for (const Expectation& error : stopping) {
      if (run.found(error.kind) && !error.expected)
        report(setting, "a " + std::string(error.name) + " that is none" + suffix);
      if (error.expected && !run.found(error.kind)) missing += " " + std::string(error.name);
      expected += error.expected;
      found += error.expected && run.found(error.kind);
    }
    if (expected > 0 && found == 0) report(setting, "not found:" + missing + suffix);
    const bool deadlock = run.found(ErrorKind::deadlock);
    if (deadlock && !reference_.deadlock && !reference_.deadlock_beside_blocked)
      report(setting, "a deadlock that is none" + suffix);
    if (!deadlock && reference_.deadlock && expected == 0) report(setting, "a deadlock was not found" + suffix);
    for (const bytecode::Violation& violation : run.result.violations) {
      const bool is_known = violation.kind == ErrorKind::deadlock ||
                            std::any_of(std::begin(stopping), std::end(stopping),
                                        [&](const Expectation& error) { return error.kind == violation.kind; });
      if (!is_known) report(setting, "an error that is none: " + violation.message + suffix);
    }
  }

  void check_keys(const Setting& setting, const ToolRun& run, const std::string& suffix) {
    const bool stops = reference_.use_after_free || reference_.double_free;
    const bool is_equal = std::equal(run.keys.begin(), run.keys.end(), reference_.executions.begin(),
                                     reference_.executions.end());
    if (!is_equal) report_keys(setting, run, stops, suffix);
    if (run.result.complete != run.keys.size()) {
      report(setting, "counts " + std::to_string(run.result.complete) + " executions but delivers " +
                          std::to_string(run.keys.size()) + suffix);
    }
    const std::size_t distinct = run.count_distinct();
    if (distinct != run.keys.size()) {
      report(setting, "delivers " + std::to_string(run.keys.size()) + " executions, only " + std::to_string(distinct) +
                          " are distinct" + suffix);
    }
    if (run.result.duplicates != run.keys.size() - distinct) {
      report(setting, "counts " + std::to_string(run.result.duplicates) + " duplicates, there are " +
                          std::to_string(run.keys.size() - distinct) + suffix);
    }
  }

  // Does the tool tell executions apart by who arrived first at a barrier? The reference does not.
  bool counts_arrivals(const explore::ExploreResult& result) const {
    if (program_.barriers.empty()) return false;
    if (!result.unordered_barriers) return true;
    for (const auto& thread : program_.threads)
      for (const Operation& operation : thread)
        if (operation.kind == OperationKind::wait && operation.target != no_register) return true;
    return false;
  }

  // What is different, if it matters.
  void report_keys(const Setting& setting, const ToolRun& run, bool stops, const std::string& suffix) {
    std::string details;
    int missing = 0, extra = 0, repeated = 0;
    const auto times = [&](const std::string& key) {
      const auto [begin, end] = std::equal_range(run.keys.begin(), run.keys.end(), key);
      return end - begin;
    };
    for (const std::string& key : reference_.executions) {
      if (stops || times(key) > 0) continue;
      missing++;
      details += "\n    missing:  " + describe_key(program_, key);
    }
    for (const std::string& key : std::set<std::string>(run.keys.begin(), run.keys.end())) {
      if (!reference_.executions.contains(key)) {
        extra++;
        details += "\n    extra:    " + describe_key(program_, key);
      } else if (times(key) > 1 && !counts_arrivals(run.result)) {
        repeated++;
        details += "\n    " + std::to_string(times(key)) + " times:  " + describe_key(program_, key);
      }
    }
    if (missing + extra + repeated == 0) return;
    report(setting, std::to_string(reference_.executions.size()) + " executions expected, " +
                        std::to_string(run.keys.size()) + " found; " + std::to_string(missing) + " missing, " +
                        std::to_string(extra) + " extra, " + std::to_string(repeated) + " repeated" + suffix + details);
  }

  // Stopping at the first error: there is one exactly if the reference knows one.
  void check_first_error(const Setting& setting) {
    if (!reference_.race && !reference_.deadlock && !reference_.use_after_free && !reference_.double_free) return;
    const ToolRun run = explore_program(setting, true, false);
    if (!run.failure.empty()) {
      report(setting, run.failure + " (stopping at the first error)");
    } else if (run.result.violations.empty()) {
      report(setting, "no error found (stopping at the first error)");
    }
  }

  const LitmusProgram& program_;
  const bytecode::Program bytecode_;
  const ReferenceModel model_;
  const ReferenceResult& reference_;
  std::vector<std::string> differences_;
};

}  // namespace

std::vector<std::string> compare(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                                 const ComparisonOptions& options) {
  const std::map<ReferenceModel, ReferenceResult> reference = explore_reference(program, models, options.models);
  std::vector<std::string> differences;
  for (const ReferenceModel model : models) {
    if (reference.at(model).misused) continue;
    if (!loaded_model(model)) {
      differences.push_back(std::string(name_of(model)) + ": cannot load: " + loaded_model(model).problems()[0].message);
      continue;
    }
    Comparison comparison(program, model, reference.at(model));
    const bool thoroughly = options.settings == Settings::each;
    comparison.run(defaults, thoroughly);
    if (thoroughly) {
      for (const Setting& setting : single_switches) comparison.run(setting, true);
      comparison.run(everything_off, true);
    } else if (options.settings != Settings::one) {
      comparison.run(single_switches[options.turn % std::size(single_switches)], false);
      if (options.settings == Settings::three || options.turn % 8 == 7) comparison.run(everything_off, false);
    }
    if (options.compiled) comparison.run(compiled, thoroughly);
    for (std::string& difference : comparison.take_differences()) differences.push_back(std::move(difference));
  }
  return differences;
}

std::string explain_failure(const LitmusProgram& program, const std::vector<ReferenceModel>& models,
                            const ComparisonOptions& options) {
  const LitmusProgram small =
      shrink(program, [&](const LitmusProgram& variant) { return !compare(variant, models, options).empty(); });
  std::string text = print_program(small);
  for (const std::string& difference : compare(small, models, options)) text += "  * " + difference + "\n";
  return text;
}

}  // namespace heddle::cross_check
