// See prepare.h.
#include "cli/prepare.h"

#include <chrono>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <sys/resource.h>

#include "cli/loop_bound_option.h"
#include "cli/model_files.h"
#include "consistency/compiled_model.h"
#include "frontend/load_program.h"
#include "prover/admission.h"
#include "report/source_lines.h"
#include "report/text_report.h"

namespace heddle::cli {

namespace {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "the signal handler may only touch a lock-free flag");

extern "C" void request_stop(int) { stop_requested.store(true); }

void print_problems(const Diagnostics& problems, bool color) {
  for (const Diagnostic& problem : problems) fmt::print(stderr, "{}", report::text_of(problem, color));
}

}  // namespace

std::optional<Prepared> prepare(const report::Setup& setup, bool color, bool quiet, int& exit_code) {
  const ModelPath path = find_model(setup.model);
  if (path.path.empty()) {
    fmt::print(stderr, "heddle: {}\n", path.complaint);
    exit_code = exit_command_line;
    return std::nullopt;
  }
  exit_code = exit_input;
  const auto start = std::chrono::steady_clock::now();
  auto model = consistency::Model::load(path.path);
  if (!model) {
    print_problems(model.problems(), color);
    return std::nullopt;
  }
  // The exploration is only correct for models that satisfy its requirements. Late parts play no role in it.
  const Diagnostics objections = prover::objections(prover::admit(model->compiled().ordinary_part()));
  if (!objections.empty()) {
    print_problems(objections, color);
    return std::nullopt;
  }
  const std::chrono::duration<double, std::milli> model_time = std::chrono::steady_clock::now() - start;
  frontend::FrontendOptions options;
  options.files = setup.files;
  options.clang_flags = setup.clang_flags;
  options.entry = setup.entry;
  options.loop_counters = setup.unroll.has_value();
  options.spurious_wakeups = setup.spurious_wakeups;
  options.merge_peeled_rounds = setup.merge_peeled_rounds;
  options.unbounded_functions = setup.no_unroll;
  for (const std::string& text : setup.unroll_loops) {
    auto bound = parse_loop_bound(text);
    if (!bound) {  // only a trace can say that
      fmt::print(stderr, "heddle: the trace bounds a loop by '{}', which is not FILE:LINE=N\n", text);
      return std::nullopt;
    }
    options.loop_bounds.push_back(std::move(*bound));
  }
  std::string warnings;
  auto program = frontend::load_program(options, &warnings);
  if (!quiet) fmt::print(stderr, "{}", warnings);
  if (!program) {
    print_problems(program.problems(), color);
    return std::nullopt;
  }
  return Prepared{std::move(*model), std::move(*program), model_time.count()};
}

explore::ExploreOptions explore_options(const report::Setup& setup) {
  explore::ExploreOptions options;
  if (setup.step_limit != 0) options.step_limit = setup.step_limit;
  options.unroll = setup.unroll;
  options.race_detection = setup.race_detection;
  options.liveness = setup.liveness;
  options.spin_assume = setup.spin_assume;
  options.unordered_barriers = setup.unordered_barriers;
  options.maximal_shortcut = setup.maximal_shortcut;
  options.specialise_model = setup.specialise_model;
  options.writes_first = setup.writes_first;
  options.cycle_filter = setup.cycle_filter;
  options.remember_threads = setup.remember_threads;
  options.prune_futile = setup.prune_futile;
  options.ignore_rewriting = setup.ignore_rewriting;
  options.undone_updates = setup.undone_updates;
  options.undone_among_others = setup.undone_among_others;
  return options;
}

Diagnostic describe_obstacle(const bytecode::Program& program, const explore::Obstacle& obstacle) {
  Diagnostic problem;
  const bytecode::SourcePosition source = report::source_of(program, obstacle.position);
  problem.file = report::file_of(program, source);
  problem.line = source.line;
  problem.column = source.column;
  problem.message = obstacle.message;
  if (obstacle.other_position) problem.hint = "the other place is " + report::place(program, *obstacle.other_position);
  return problem;
}

const std::atomic<bool>* stop_on_signals() {
  struct sigaction action{};
  action.sa_handler = request_stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return &stop_requested;
}

std::uint64_t peak_memory_mb() {
  struct rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) / 1024;
}

}  // namespace heddle::cli
