// See check_command.h. Load, explore, judge, report; the verdict never says more than was explored.
#include "cli/check_command.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/checker_choice.h"
#include "cli/confirm_errors.h"
#include "cli/describe_loops.h"
#include "cli/prepare.h"
#include "cli/write_output.h"
#include "report/dot_report.h"
#include "report/json_report.h"
#include "report/text_report.h"

namespace heddle::cli {

using explore::ExploreResult;
using explore::Outcome;
using report::CheckReport;
using report::Verdict;

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Why the exploration stopped early; empty if it did not.
std::string reason_of(const CheckOptions& options, const bytecode::Program& program, const ExploreResult& result) {
  switch (result.outcome) {
    case Outcome::finished: return "";
    case Outcome::timeout:
      return fmt::format("the time limit of {} s was reached", options.timeout_seconds.value_or(0));
    case Outcome::out_of_memory:
      return options.memory_limit_mb ? fmt::format("the memory limit of {} MB was reached", *options.memory_limit_mb)
                                     : std::string("out of memory");
    case Outcome::interrupted: return "interrupted";
    case Outcome::unsupported:
    case Outcome::limit: {
      if (!result.obstacle) return "a limit was reached";
      const Diagnostic problem = describe_obstacle(program, *result.obstacle);
      if (problem.line == 0) return problem.message;
      return fmt::format("{}:{}: {}", problem.file, problem.line, problem.message);
    }
  }
  return "";
}

Verdict verdict_of(const ExploreResult& result) {
  if (!result.violations.empty()) return Verdict::violated;
  if (result.outcome != Outcome::finished) return Verdict::unknown;
  if (result.bounded != 0 || !result.bounds.empty()) return Verdict::bounded;
  return Verdict::verified;
}

CheckReport make_report(const CheckOptions& options, const Prepared& prepared, ExploreResult result, double seconds) {
  CheckReport report;
  report.setup = options.setup;
  report.setup.unordered_barriers = result.unordered_barriers;
  report.setup.undone_updates = result.undone_updates;
  report.setup.undone_among_others = result.undone_among_others;
  report.model_name = prepared.model.name();
  report.verdict = verdict_of(result);
  report.reason = reason_of(options, prepared.program, result);
  report.complete = result.complete;
  report.blocked = result.blocked;
  report.bounded = result.bounded;
  report.dropped = result.dropped;
  report.events_added = result.events_added;
  report.thread_runs = result.thread_runs;
  report.consistency_checks = result.consistency_checks;
  report.revisits = result.revisits;
  report.errors = std::move(result.violations);
  report.warnings = std::move(result.warnings);
  for (const explore::LoopBound& bound : result.bounds) {
    const std::optional<std::uint32_t> own = bytecode::own_bound_at(prepared.program, bound.position);
    report.bounds.push_back({bound.position, bound.cuts, own ? own : options.setup.unroll, own.has_value()});
  }
  if (result.outcome == Outcome::unsupported && result.obstacle) {
    report.problems.push_back(describe_obstacle(prepared.program, *result.obstacle));
  }
  if (report.verdict == Verdict::verified && report.complete + report.blocked == 0 && report.dropped != 0) {
    report.notes.push_back("the model's late constraints allow no execution at all");
  } else if (report.verdict == Verdict::verified && report.complete == 0) {
    report.notes.push_back("no execution runs to its end: all of them block, so what comes after was never checked");
  }
  report.seconds = seconds;
  report.peak_memory_mb = peak_memory_mb();
  return report;
}

int exit_code_of(const CheckOptions& options, const CheckReport& report) {
  switch (report.verdict) {
    case Verdict::verified: return exit_verified;
    case Verdict::violated: return exit_violated;
    case Verdict::bounded: return options.accept_bounded ? exit_verified : exit_bounded;
    case Verdict::unknown: return report.problems.empty() ? exit_unknown : exit_input;
  }
  return exit_unknown;
}

std::string render(const CheckOptions& options, const Prepared& prepared, const CheckReport& report) {
  switch (options.format) {
    case Format::json: return report::json_report(prepared.program, report);
    case Format::dot: return report::dot_report(prepared.program, report);
    case Format::text: break;
  }
  const bool color = options.output.empty() && wants_color(options.no_color, STDOUT_FILENO);
  return report::text_report(prepared.program, report, {color, options.quiet, options.verbose});
}

// An output that cannot be written is better noticed before the exploration than after it.
std::string complaint_about_output(const std::string& path, const std::vector<std::string>& inputs) {
  if (path.empty()) return "";
  std::error_code error;
  for (const std::string& input : inputs)
    if (std::filesystem::equivalent(path, input, error))
      return fmt::format("cannot write '{}': it is one of the files to check", path);
  if (std::filesystem::is_directory(path, error)) return fmt::format("cannot write '{}': it is a directory", path);
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::is_directory(folder, error)) {
    return fmt::format("cannot write '{}': there is no folder '{}'", path, folder.string());
  }
  return "";
}

}  // namespace

int run_check(const CheckOptions& options) {
  const Clock::time_point start = Clock::now();
  const bool color_of_errors = wants_color(options.no_color, STDERR_FILENO);
  if (const std::string complaint = complaint_about_output(options.output, options.setup.files); !complaint.empty()) {
    fmt::print(stderr, "heddle: {}\n", complaint);
    return exit_command_line;
  }
  int exit_code = 0;
  const std::optional<Prepared> prepared = prepare(options.setup, color_of_errors, options.quiet, exit_code);
  if (!prepared) return exit_code;

  explore::ExploreOptions explore = explore_options(options.setup);
  explore.keep_going = options.keep_going;
  explore.timeout_seconds = options.timeout_seconds;
  explore.memory_limit_mb = options.memory_limit_mb;
  explore.interrupted = stop_on_signals();
  const CheckerChoice checker(options);
  explore.native = checker.native_options();
  const bool show_progress = !options.quiet && ::isatty(STDERR_FILENO) == 1;
  bool progress_shown = false;
  if (show_progress) {
    explore.progress = [&](std::uint64_t complete, std::uint64_t blocked) {
      progress_shown = true;
      fmt::print(stderr, "\r\033[K{} executions, {} blocked, {:.0f} s", complete, blocked, seconds_since(start));
      std::fflush(stderr);
    };
  }
  ExploreResult result = explore::explore(prepared->program, prepared->model, explore);
  if (progress_shown) fmt::print(stderr, "\r\033[K");
  if (options.verbose) {
    fmt::print(stderr, "model: loaded in {:.1f} ms\n", prepared->model_milliseconds);
    for (const std::string& part : result.simplifications) fmt::print(stderr, "model: {}\n", part);
    for (const std::string& remark : checker.remarks()) fmt::print(stderr, "{}\n", remark);
    for (const std::string& loop : describe_loops(prepared->program, options.setup, result))
      fmt::print(stderr, "loop: {}\n", loop);
  }

  std::vector<std::string> notes;
  report::Setup explored = options.setup;
  explored.unordered_barriers = result.unordered_barriers;
  explored.undone_updates = result.undone_updates;
  explored.undone_among_others = result.undone_among_others;
  confirm_errors(*prepared, explored, false, result.violations, notes);
  CheckReport report = make_report(options, *prepared, std::move(result), seconds_since(start));
  report.notes.insert(report.notes.end(), notes.begin(), notes.end());
  exit_code = exit_code_of(options, report);
  for (const Diagnostic& problem : report.problems) fmt::print(stderr, "{}", report::text_of(problem, color_of_errors));
  if (exit_code == exit_input && options.format != Format::json) return exit_code;
  if (const std::string complaint = write_output(render(options, *prepared, report), options.output);
      !complaint.empty()) {
    // Whoever waits for the report gets none, so the exit code must not promise one.
    fmt::print(stderr, "heddle: {}\nverdict: unknown\n", complaint);
    return exit_unknown;
  }
  return exit_code;
}

}  // namespace heddle::cli
