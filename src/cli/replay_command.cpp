// See replay_command.h. The explorer takes the recorded choices and no others; the error must happen again at the same
// place, else the program, the model or Heddle has changed since the trace was written.
#include "cli/replay_command.h"

#include <cstdio>
#include <deque>
#include <map>

#include <fmt/format.h>
#include <unistd.h>

#include "base/check.h"
#include "cli/confirm_errors.h"
#include "cli/last_words.h"
#include "cli/prepare.h"
#include "cli/trace_flags.h"
#include "cli/write_output.h"
#include "report/describe_step.h"
#include "report/explain_order.h"
#include "report/json_reader.h"
#include "report/source_lines.h"
#include "report/text_report.h"

namespace heddle::cli {

using bytecode::RecordedEvent;

namespace {

using Output = std::map<std::uint32_t, std::deque<std::string>>;  // by thread, in program order

bool prints(const bytecode::Program& program, const RecordedEvent& event) {
  if (event.kind == bytecode::RecordedKind::print) return true;
  if (event.kind != bytecode::RecordedKind::other || event.position.function >= program.functions.size()) return false;
  const bytecode::Function& function = program.functions[event.position.function];
  if (event.position.instruction >= function.code.size()) return false;
  const bytecode::Instruction& instruction = function.code[event.position.instruction];
  using bytecode::LibraryCall;
  const auto call = static_cast<LibraryCall>(instruction.d);
  return instruction.op == bytecode::Opcode::library &&
         (call == LibraryCall::print || call == LibraryCall::print_va || call == LibraryCall::put_string ||
          call == LibraryCall::put_character);
}

std::string indented(const std::string& text) {
  std::string result = "    | ";
  for (std::size_t i = 0; i < text.size(); ++i) {
    result += text[i];
    if (text[i] == '\n' && i + 1 < text.size()) result += "    | ";
  }
  if (!result.ends_with('\n')) result += '\n';
  return result;
}

// Every step in an order that shows the error, if there is one; else as they were explored.
std::string tell_steps(const bytecode::Program& program, const bytecode::Violation& violation, Output output) {
  const report::Names names(program, violation.execution);
  const std::vector<report::Step> steps = report::steps_of(violation.execution);
  std::vector<std::uint32_t> order = report::find_order(violation.execution, steps, {}).interleaving;
  if (order.empty()) {
    for (std::uint32_t s = 0; s < steps.size(); ++s) order.push_back(s);
  }
  const std::uint32_t home = report::source_of(program, violation.position).file;
  report::SourceLines sources;
  std::string text;
  for (const std::uint32_t s : order) {
    const RecordedEvent& event = violation.execution.events[steps[s].first];
    if (event.kind == bytecode::RecordedKind::begin) continue;
    const bool print = prints(program, event);
    std::string what = print ? "prints" : report::describe_step(names, steps[s]);
    const std::string note = report::note_on_step(names, steps[s], home);
    if (!note.empty()) what += fmt::format(" ({})", note);
    text += fmt::format("  {:<24} {:<20} {:<44} {}\n", names.thread_with_number(event.thread),
                        report::place(program, event.position), what, sources.text(program, event.position));
    if (!print) continue;
    auto& lines = output[event.thread];
    if (lines.empty()) continue;
    text += indented(lines.front());
    lines.pop_front();
  }
  for (auto& [thread, lines] : output) {
    for (const std::string& line : lines)
      text += fmt::format("  {} prints\n{}", names.thread_with_number(thread), indented(line));
  }
  return text;
}

int does_not_fit(const std::string& trace, const std::string& how) {
  fmt::print(stderr, "{}: error: the trace does not fit: {}\n", trace, how);
  fmt::print(stderr,
             "  The program, the model or Heddle has changed since it was written; run `heddle check` again.\n");
  return exit_input;
}

bool same_error(const bytecode::Program& program, const bytecode::Violation& violation, const report::Trace& trace) {
  if (report::name_of(violation.kind) != trace.kind) return false;
  const bytecode::SourcePosition source = report::source_of(program, violation.position);
  if (source.line == 0) return trace.line == 0;
  return source.line == trace.line && report::file_of(program, source) == trace.file;
}

}  // namespace

int run_replay(const ReplayOptions& options) {
  const bool color_of_errors = wants_color(options.no_color, STDERR_FILENO);
  const auto trace = report::read_trace(options.trace, options.error);
  if (!trace) {
    for (const Diagnostic& problem : trace.problems())
      fmt::print(stderr, "{}", report::text_of(problem, color_of_errors));
    return exit_input;
  }
  if (const auto flag = forbidden_flag(trace->setup.clang_flags)) {
    fmt::print(stderr,
               "{}: error: the trace asks for the compiler option '{}', which may run code or write files\n"
               "  Traces must not do that; run `heddle check` with this option yourself if you trust it.\n",
               options.trace, *flag);
    return exit_input;
  }
  int exit_code = 0;
  const std::optional<Prepared> prepared = prepare(trace->setup, color_of_errors, true, exit_code);
  if (!prepared) {
    fmt::print(stderr, "  (wanted by the trace {})\n", options.trace);
    return exit_input;
  }
  explore::ExploreOptions explore = explore_options(trace->setup);
  explore.path = trace->path;
  explore.interrupted = stop_on_signals();
  Output output;
  explore.on_print = [&](std::uint32_t thread, const std::string& text) { output[thread].push_back(text); };
  explore::ExploreResult result = explore::explore(prepared->program, prepared->model, explore);

  if (result.outcome == explore::Outcome::interrupted) {
    fmt::print(stderr, "heddle: interrupted\nverdict: unknown\n");
    return exit_unknown;
  }
  if (result.outcome == explore::Outcome::out_of_memory) return report_out_of_memory();
  if (result.violations.empty()) {
    return does_not_fit(options.trace, result.obstacle ? result.obstacle->message : "no error happens on this path");
  }
  std::vector<std::string> notes;
  confirm_errors(*prepared, trace->setup, true, result.violations, notes);
  const bytecode::Violation& violation = result.violations.front();
  std::string text;
  if (!options.quiet) text = tell_steps(prepared->program, violation, std::move(output)) + "\n";
  const bool color = wants_color(options.no_color, STDOUT_FILENO);
  text += report::text_of_error(prepared->program, violation, prepared->model.name(),
                                {color, options.quiet, options.verbose});
  for (const std::string& note : notes) text += fmt::format("warning: {}\n", note);
  if (const std::string complaint = write_output(text, ""); !complaint.empty()) {
    fmt::print(stderr, "heddle: {}\nverdict: unknown\n", complaint);
    return exit_unknown;
  }
  if (!same_error(prepared->program, violation, *trace)) {
    return does_not_fit(options.trace, fmt::format("it recorded {} at {}:{}, but another error happens", trace->kind,
                                                   trace->file, trace->line));
  }
  return exit_violated;
}

}  // namespace heddle::cli
