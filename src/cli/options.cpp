// See options.h. CLI11 does the parsing; everything after `--` is cut off before, as it belongs to clang.
#include "cli/options.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "cli/loop_bound_option.h"
#include "relation/spelling.h"

namespace heddle::cli {

namespace {

const std::vector<std::string_view> command_names = {"check", "replay", "models"};

// `--sc` is short for `--model sc`, and so on.
constexpr const char* models_with_flags[] = {"sc",   "tso",       "pso",      "ra",         "sra",
                                             "rc11", "rc11-2017", "rc11-c11", "rc11-strong"};

const char* const exit_codes =
    "Exit codes: 0 verified, 42 violated, 10 bounded (0 with --accept-bounded), 4 unknown,\n"
    "2 bad command line, 3 bad or unsupported input, 70 internal error.";

// What CLI11 fills in; flags that switch something off are turned round afterwards.
struct Raw {
  CheckOptions check;
  ReplayOptions replay;
  ModelsOptions models;
  std::array<bool, std::size(models_with_flags)> model_flags{};
  bool no_races = false, no_shortcut = false, no_specialisation = false, no_writes_first = false,
       no_cycle_filter = false, no_thread_memory = false, no_futile_pruning = false, no_zero_net_effect = false,
       no_peel_merging = false;
  bool no_liveness = false, check_liveness = false, no_spin_assume = false, no_unordered_barriers = false,
       spurious_wakeups = false;
  std::uint32_t unroll = 0;
  std::uint64_t step_limit = 0, memory_limit = 0;
  unsigned jobs = 0;
  double timeout = 0;
  bool no_cache = false;
  std::string format = "text", equivalence = "co", checker = "auto", models_format = "text";
};

void add_output_options(CLI::App& app, bool& quiet, bool& verbose, bool& no_color) {
  app.add_flag("--quiet,-q", quiet, "Print only what went wrong, and the verdict");
  app.add_flag("--verbose,-v", verbose, "Print every event of a counterexample too, and how the model was run");
  app.add_flag("--no-color", no_color, "No colours (NO_COLOR in the environment does the same)");
}

void add_model_options(CLI::App& app, Raw& raw) {
  app.add_option("--model", raw.check.setup.model,
                 "Memory model: a name listed by `heddle models`, or a file (default: rc11)")
      ->type_name("NAME|FILE.kat")
      ->group("What to check");
  for (std::size_t i = 0; i < std::size(models_with_flags); ++i) {
    const std::string name = models_with_flags[i];
    app.add_flag("--" + name, raw.model_flags[i], "Short for --model " + name)->group("What to check");
  }
}

void add_check_options(CLI::App& app, Raw& raw) {
  CheckOptions& check = raw.check;
  const auto positive = CLI::Range(std::uint32_t{1}, std::numeric_limits<std::uint32_t>::max()).description("");
  app.add_option("FILE", check.setup.files, "C, C++, LLVM assembly (.ll) or bitcode (.bc); several are linked together")
      ->required()
      ->type_name("");
  add_model_options(app, raw);
  const char* what = "What to check";
  app.add_option("--entry,--program-entry-function", check.setup.entry, "The function to start with (default: main)")
      ->type_name("FUNCTION")
      ->group(what);
  app.add_option(
         "--unroll", raw.unroll,
         "Bound every loop that does not just wait to N iterations; a loop that is cut makes the verdict `bounded`")
      ->type_name("N")
      ->check(positive)
      ->group(what);
  app.add_option("--unroll-loop", check.setup.unroll_loops,
                 "Bound the loop that begins in this line to N iterations, whatever --unroll says; may be repeated")
      ->type_name("FILE:LINE=N")
      ->allow_extra_args(false)
      ->group(what);
  app.add_option("--no-unroll", check.setup.no_unroll,
                 "Do not bound the loops of this function, whatever --unroll says; may be repeated")
      ->type_name("FUNCTION")
      ->allow_extra_args(false)
      ->group(what);
  app.add_flag("--no-race-detection,--disable-race-detection", raw.no_races,
               "Do not look for data races; saves a little time, but a racy program is then judged as if it had none")
      ->group(what);
  app.add_flag("--no-liveness", raw.no_liveness, "Do not report loops that can spin for ever")->group(what);
  app.add_flag("--check-liveness", raw.check_liveness, "Report loops that can spin for ever (the default)")->group("");
  app.add_flag("--no-spin-assume,--disable-spin-assume", raw.no_spin_assume,
               "Run every iteration of a loop that waits; costs executions without end unless --unroll bounds it")
      ->group(what);
  app.add_option("--equivalence", raw.equivalence,
                 "What counts as the same execution: `co`, equal reads-from and coherence")
      ->type_name("co")
      ->group(what);
  app.add_flag("--keep-going", check.keep_going, "Report every distinct error, not only the first")->group(what);
  app.add_flag("--accept-bounded", check.accept_bounded, "Exit with 0 also if the verdict is `bounded`")->group(what);

  const char* limits = "Limits";
  app.add_option("--timeout", raw.timeout, "Stop after this time with verdict `unknown`")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 1e9).description(""))
      ->group(limits);
  app.add_option("--memory-limit", raw.memory_limit, "Stop at this much memory with verdict `unknown`")
      ->type_name("MB")
      ->check(positive)
      ->group(limits);
  app.add_option("--step-limit", raw.step_limit,
                 "Give up on a thread that runs N instructions without touching shared memory")
      ->type_name("N")
      ->check(positive)
      ->group(limits);
  app.add_option("--jobs,--nthreads,-j", raw.jobs, "Workers; this version always uses one")
      ->type_name("N")
      ->check(positive)
      ->group(limits);

  const char* output = "Output";
  app.add_option("--format", raw.format, "text (the default), json, or dot (the first counterexample as a graph)")
      ->type_name("FORMAT")
      ->group(output);
  app.add_option("--output,-o", check.output,
                 "Write there instead of to standard output; the file appears whole or not at all")
      ->type_name("FILE")
      ->group(output);
  add_output_options(app, check.quiet, check.verbose, check.no_color);

  const char* speed = "Speed (results stay the same)";
  app.add_option(
         "--checker", raw.checker,
         "How the model is run: native (compiled to machine code), table (its automata as tables and nothing else: "
         "the slow reference), or auto: native if the code is in the cache or the run turns out to be long "
         "(the default)")
      ->type_name("auto|native|table")
      ->group(speed);
  app.add_flag("--no-cache", raw.no_cache,
               "Do not keep compiled models on disk (in $HEDDLE_CACHE_DIR, $XDG_CACHE_HOME/heddle or ~/.cache/heddle)")
      ->group(speed);

  const char* parts = "Parts to switch off (for comparison; results stay the same)";
  app.add_flag("--no-maximal-shortcut", raw.no_shortcut,
               "Check events for consistency even where the model's theory says they pass; costs time")
      ->group(parts);
  app.add_flag("--no-model-specialisation", raw.no_specialisation,
               "Keep the parts of the model that no event of this program can satisfy; costs time")
      ->group(parts);
  app.add_flag("--no-writes-first", raw.no_writes_first,
               "Do not schedule writes before reads; costs revisits, thus time")
      ->group(parts);
  app.add_flag("--no-thread-memory", raw.no_thread_memory,
               "Run a thread anew even for values it read before; costs time")
      ->group(parts);
  app.add_flag("--no-unordered-barriers,--disable-bam", raw.no_unordered_barriers,
               "Explore every order in which threads arrive at a barrier; counts more executions, costs time")
      ->group(parts);
  app.add_flag("--no-futile-pruning", raw.no_futile_pruning,
               "Go on where a thread has stopped at an old value for good; counts more blocked executions, costs time")
      ->group(parts);
  app.add_flag("--no-zero-net-effect", raw.no_zero_net_effect,
               "Take a loop for waiting only if it changes nothing, not if it changes something back; costs executions")
      ->group(parts);
  app.add_flag(
         "--no-peel-merging", raw.no_peel_merging,
         "Keep apart what stands before a loop and again at the end of its body; costs executions that are blocked")
      ->group(parts);
  app.add_flag("--spurious-wakeups", raw.spurious_wakeups,
               "Let threads that wait for a condition variable also wake up without a reason, each once")
      ->group(parts);
  app.add_flag("--no-cycle-filter", raw.no_cycle_filter,
               "Run the model's automata even where a quick look finds no cycle at all; costs time")
      ->group(parts);
}

Answer bad(const std::string& message, const std::string& help) {
  return {exit_command_line, fmt::format("heddle: {}\n{}\n", message, help)};
}

std::string see_help(const std::string& command) {
  return command.empty() ? "See `heddle --help`." : fmt::format("See `heddle {} --help`.", command);
}

Answer unknown_command(const std::string& name) {
  std::string message = fmt::format("unknown command '{}'", name);
  if (const std::string hint = relation::did_you_mean(name, command_names); !hint.empty()) message += "; " + hint;
  std::string list;
  for (const std::string_view command : command_names) list += fmt::format("{}{}", list.empty() ? "" : ", ", command);
  return bad(message, "Commands: " + list + ". See `heddle --help`.");
}

Answer unknown_option(const CLI::App& app, const std::string& command, const std::vector<std::string>& extras) {
  const std::string& word = extras.empty() ? command : extras.front();
  if (word.empty() || word[0] != '-') return bad(fmt::format("'{}' is one argument too many", word), see_help(command));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  std::string message = fmt::format("unknown option '{}'", word);
  if (const std::string hint = relation::did_you_mean(word, views); !hint.empty()) message += "; " + hint;
  return bad(message, see_help(command) + " Options for clang go after `--`.");
}

// Turns the raw flags into options; an Answer if they contradict each other.
Command finish_check(Raw& raw, const CLI::App& app) {
  CheckOptions& check = raw.check;
  const std::string help = see_help("check");
  const auto short_forms = std::count(raw.model_flags.begin(), raw.model_flags.end(), true);
  if (short_forms + (app.count("--model") > 0 ? 1 : 0) > 1) return bad("more than one memory model is given", help);
  for (std::size_t i = 0; i < std::size(models_with_flags); ++i) {
    if (raw.model_flags[i]) check.setup.model = models_with_flags[i];
  }
  if (raw.equivalence == "rf") {
    return bad("--equivalence rf is not available yet; executions are counted by reads-from and coherence (co)", help);
  }
  if (raw.equivalence != "co") return bad(fmt::format("--equivalence is co, not '{}'", raw.equivalence), help);
  if (raw.format == "json")
    check.format = Format::json;
  else if (raw.format == "dot")
    check.format = Format::dot;
  else if (raw.format == "sarif")
    return bad("--format sarif is not available yet; there are text, json and dot", help);
  else if (raw.format != "text")
    return bad(fmt::format("--format is text, json or dot, not '{}'", raw.format), help);
  if (raw.checker == "native")
    check.checker = CheckerKind::native;
  else if (raw.checker == "table")
    check.checker = CheckerKind::table;
  else if (raw.checker != "auto")
    return bad(fmt::format("--checker is auto, native or table, not '{}'", raw.checker), help);
  check.cache = !raw.no_cache;
  for (const std::string& text : check.setup.unroll_loops)
    if (!parse_loop_bound(text))
      return bad(fmt::format("--unroll-loop takes FILE:LINE=N, with N from 1 on, not '{}'", text), help);
  if (check.quiet && check.verbose) return bad("--quiet and --verbose contradict each other", help);
  if (raw.no_liveness && raw.check_liveness)
    return bad("--no-liveness and --check-liveness contradict each other", help);
  check.setup.liveness = !raw.no_liveness;
  check.setup.spin_assume = !raw.no_spin_assume;
  check.setup.unordered_barriers = !raw.no_unordered_barriers;
  check.setup.spurious_wakeups = raw.spurious_wakeups;
  check.setup.merge_peeled_rounds = !raw.no_peel_merging;
  check.setup.race_detection = !raw.no_races;
  check.setup.maximal_shortcut = !raw.no_shortcut;
  check.setup.specialise_model = !raw.no_specialisation;
  check.setup.writes_first = !raw.no_writes_first;
  check.setup.cycle_filter = !raw.no_cycle_filter && check.checker != CheckerKind::table;
  check.setup.remember_threads = !raw.no_thread_memory;
  check.setup.prune_futile = !raw.no_futile_pruning;
  check.setup.ignore_rewriting = check.setup.undone_updates =
      !raw.no_zero_net_effect && comes_with_heddle(check.setup.model);
  check.setup.step_limit = raw.step_limit;
  if (raw.unroll != 0) check.setup.unroll = raw.unroll;
  if (raw.timeout != 0) check.timeout_seconds = raw.timeout;
  if (raw.memory_limit != 0) check.memory_limit_mb = raw.memory_limit;
  if (raw.jobs != 0) check.jobs = raw.jobs;
  return check;
}

Command finish_models(Raw& raw) {
  const std::string help = see_help("models");
  if (raw.models_format != "text" && raw.models_format != "json")
    return bad(fmt::format("--format is text or json, not '{}'", raw.models_format), help);
  if (raw.models_format == "json") raw.models.format = Format::json;
  if (raw.models.format == Format::json && !raw.models.name.empty())
    return bad("--format json lists all models; a single one is shown as text", help);
  return raw.models;
}

}  // namespace

Command read_command_line(int argc, const char* const* argv) {
  std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  Raw raw;
  if (const auto end = std::find(words.begin(), words.end(), "--"); end != words.end()) {
    raw.check.setup.clang_flags.assign(end + 1, words.end());
    words.erase(end, words.end());
  }

  CLI::App app{"Heddle checks every execution of a concurrent C or C++ program that a memory model allows.", "heddle"};
  app.set_version_flag("--version", fmt::format("heddle {}", report::tool_version));
  app.require_subcommand(1);
  app.footer(exit_codes);
  CLI::App* check = app.add_subcommand("check", "Is every allowed execution fine?");
  CLI::App* replay = app.add_subcommand("replay", "Re-run one recorded execution");
  CLI::App* models = app.add_subcommand("models", "List the memory models, or show one");
  add_check_options(*check, raw);
  check->footer(std::string("Everything after `--` goes to clang: heddle check file.c -- -DN=3\n") + exit_codes);
  replay->add_option("TRACE", raw.replay.trace, "What `heddle check --format json` wrote")->required()->type_name("");
  replay->add_option("--error", raw.replay.error, "Which of its errors, from 1")
      ->type_name("N")
      ->check(CLI::Range(1u, 1u << 30).description(""));
  add_output_options(*replay, raw.replay.quiet, raw.replay.verbose, raw.replay.no_color);
  replay->footer("Exit codes: 42 the same error happened again, 3 it did not.");
  models->add_option("NAME", raw.models.name, "Show this one, with the files that it includes")->type_name("");
  models->add_option("--format", raw.models_format, "text (the default) or json")->type_name("FORMAT");
  models->add_flag("--verbose,-v", raw.models.verbose,
                   "Look longer for proofs that a model is stronger than another one; name the pairs without one");

  if (words.empty()) return Answer{exit_command_line, app.help()};
  const bool is_command = std::find(command_names.begin(), command_names.end(), words[0]) != command_names.end();
  if (!is_command && words[0].substr(0, 1) != "-") return unknown_command(words[0]);
  const std::string command = is_command ? words[0] : "";
  CLI::App* chosen = command.empty() ? &app : app.get_subcommand(command);
  try {
    std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
    app.parse(words);
  } catch (const CLI::CallForHelp&) {
    return Answer{0, chosen == &app ? app.help() : chosen->help("heddle")};
  } catch (const CLI::CallForAllHelp&) {
    return Answer{0, app.help("", CLI::AppFormatMode::All)};
  } catch (const CLI::CallForVersion&) {
    return Answer{0, fmt::format("heddle {}\n", report::tool_version)};
  } catch (const CLI::ExtrasError&) {
    return unknown_option(*chosen, command, app.remaining(true));
  } catch (const CLI::ParseError& error) {
    return bad(error.what(), see_help(command));
  }
  if (command == "check") return finish_check(raw, *check);
  if (!raw.check.setup.clang_flags.empty())
    return bad("only `heddle check` takes options for clang", see_help(command));
  if (command == "replay") return raw.replay;
  return finish_models(raw);
}

}  // namespace heddle::cli
