// See text_report.h. The literal output is tested in text_report_test.cpp.
#include "report/text_report.h"

#include <fmt/format.h>

#include "report/describe_error.h"
#include "report/source_lines.h"
#include "report/timeline.h"

namespace heddle::report {

using bytecode::Program;
using bytecode::Violation;

namespace {

std::string text_of_warning(const Program& program, const Violation& warning, const Paint& paint) {
  const Names names(program, warning.execution);
  bytecode::CodePosition position = warning.position;
  if (warning.kind == bytecode::ErrorKind::memory_leak) {
    if (const bytecode::RecordedObject* object = names.object_at(warning.address)) position = object->allocated;
  }
  return fmt::format("{} {}\n  at {}\n", paint.yellow("warning:"), headline(names, warning),
                     place(program, position, true));
}

std::string text_of_bound(const Program& program, const Bound& bound) {
  const std::string where = place(program, bound.position);
  std::string text = fmt::format("bound: the loop at {} was cut off", where);
  if (bound.limit) text += fmt::format(" after {} {}", *bound.limit, *bound.limit == 1 ? "iteration" : "iterations");
  text += fmt::format(", {} {}\n", bound.cuts, bound.cuts == 1 ? "time" : "times");
  constexpr std::uint32_t largest = 0x3fffffff;
  if (!bound.limit || *bound.limit > largest) return text;
  const std::uint32_t next = 2 * *bound.limit;
  const bool known_place = source_of(program, bound.position).line != 0;
  std::vector<std::string> advice;
  if (!bound.own) advice.push_back(fmt::format("--unroll {}", next));
  if (known_place)
    advice.push_back(fmt::format("--unroll-loop {}={}", where, next) + (bound.own ? "" : " for it alone"));
  if (!advice.empty()) text += fmt::format("  next: {}\n", fmt::join(advice, ", or "));
  return text;
}

std::string verdict_line(const CheckReport& report, const Paint& paint) {
  const std::string name = name_of(report.verdict);
  switch (report.verdict) {
    case Verdict::verified: return paint.green(name);
    case Verdict::violated: return paint.red(name);
    default: return paint.yellow(name);
  }
}

}  // namespace

std::string text_of(const Diagnostic& problem, bool color) {
  const Paint paint{color};
  std::string text;
  if (!problem.file.empty()) {
    text += problem.file;
    if (problem.line != 0) text += fmt::format(":{}", problem.line);
    if (problem.line != 0 && problem.column != 0) text += fmt::format(":{}", problem.column);
    text += ": ";
  }
  text += paint.red("error:") + " " + problem.message + "\n";
  if (!problem.excerpt.empty()) {
    text += "  " + problem.excerpt + "\n";
    if (problem.column != 0 && problem.column <= problem.excerpt.size() + 1) {
      std::string indent = problem.excerpt.substr(0, problem.column - 1);
      for (char& c : indent) c = c == '\t' ? '\t' : ' ';
      text += "  " + indent + paint.green("^") + "\n";
    }
  }
  if (!problem.hint.empty()) text += "  " + problem.hint + "\n";
  return text;
}

std::string text_of_error(const Program& program, const Violation& violation, const std::string& model,
                          const TextOptions& options) {
  const Paint paint{options.color};
  const Names names(program, violation.execution);
  std::string text = fmt::format("{} {}\n", paint.red("error:"), paint.bold(headline(names, violation)));
  const bool several_places = violation.kind == bytecode::ErrorKind::deadlock ||
                              violation.kind == bytecode::ErrorKind::race ||
                              violation.kind == bytecode::ErrorKind::liveness;
  if (!several_places || options.quiet) {
    text += fmt::format("  at {}, in {}\n", place(program, violation.position, true),
                        names.thread_with_number(violation.thread));
    SourceLines lines;
    const std::string source = lines.text(program, violation.position);
    if (!source.empty()) text += fmt::format("  {} | {}\n", source_of(program, violation.position).line, source);
  }
  if (options.quiet) return text;
  for (const std::string& fact : facts(names, violation)) text += "  " + fact + "\n";
  const std::string steps = timeline(names, violation, model, paint);
  if (!steps.empty()) text += "\n" + steps;
  if (options.verbose) text += "\nAll events:\n" + all_events(names, violation, paint);
  return text;
}

std::string text_report(const Program& program, const CheckReport& report, const TextOptions& options) {
  const Paint paint{options.color};
  std::string text;
  for (const Violation& error : report.errors) text += text_of_error(program, error, report.model_name, options) + "\n";
  if (!options.quiet) {
    for (const Violation& warning : report.warnings) text += text_of_warning(program, warning, paint) + "\n";
  }
  for (const std::string& note : report.notes) text += fmt::format("{} {}\n", paint.yellow("warning:"), note);
  for (const Bound& bound : report.bounds) text += text_of_bound(program, bound);
  if (!report.reason.empty()) text += fmt::format("stopped early: {}\n", report.reason);
  if (options.verbose)
    text += fmt::format("work: {} events added, {} consistency checks, {} backward revisits, {} runs of a thread\n",
                        report.events_added, report.consistency_checks, report.revisits, report.thread_runs);
  if (options.verbose && report.dropped != 0)
    text += fmt::format("dropped: {} executions that the model's late constraints forbid\n", report.dropped);
  text += fmt::format("verdict: {}\n", verdict_line(report, paint));
  text += fmt::format("executions: {} complete, {} blocked\n", report.complete, report.blocked);
  text += fmt::format("time: {:.2f} s\n", report.seconds);
  return text;
}

}  // namespace heddle::report
