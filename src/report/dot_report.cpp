// See dot_report.h.
#include "report/dot_report.h"

#include <map>

#include <fmt/format.h>

#include "report/describe_error.h"
#include "report/describe_step.h"
#include "report/source_lines.h"

namespace heddle::report {

using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else {
      result += c;
    }
  }
  return result + "\"";
}

std::string node(const RecordedEvent& event) { return fmt::format("e{}_{}", event.thread, event.index); }

void add_threads(std::string& text, const Names& names, const bytecode::Violation& error) {
  const std::uint32_t home = home_file(names, error);
  std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> threads;  // thread -> index -> event
  for (std::uint32_t e = 0; e < error.execution.events.size(); ++e) {
    threads[error.execution.events[e].thread][error.execution.events[e].index] = e;
  }
  for (const auto& [thread, events] : threads) {
    text += fmt::format("  subgraph cluster_{} {{\n    label={};\n", thread, quoted(names.thread_with_number(thread)));
    std::string previous;
    for (const auto& [index, e] : events) {
      const RecordedEvent& event = error.execution.events[e];
      const Step step{e, std::nullopt};
      std::string label =
          fmt::format("{}: {}", line_or_place(names.program(), event.position, home), sentence_of_step(names, step));
      if (is_access(event)) label += fmt::format(" ({})", name_of(event.order));
      text += fmt::format("    {} [label={}];\n", node(event), quoted(label));
      if (!previous.empty()) text += fmt::format("    {} -> {};\n", previous, node(event));
      previous = node(event);
    }
    text += "  }\n";
  }
}

void add_edge(std::string& text, const RecordedEvent& from, const RecordedEvent& to, const char* name,
              const char* color) {
  text += fmt::format("  {} -> {} [label=\"{}\", color={}, constraint=false];\n", node(from), node(to), name, color);
}

void add_relations(std::string& text, const bytecode::RecordedExecution& execution) {
  const auto& events = execution.events;
  std::map<bytecode::Address, std::map<std::uint32_t, std::uint32_t>> writes;
  for (std::uint32_t e = 0; e < events.size(); ++e) {
    if (events[e].kind == RecordedKind::write && events[e].coherence_rank != 0)
      writes[events[e].address][events[e].coherence_rank] = e;
  }
  for (const auto& [address, by_rank] : writes) {
    for (auto write = by_rank.begin(), next = write; write != by_rank.end(); write = next) {
      if (++next != by_rank.end()) add_edge(text, events[write->second], events[next->second], "co", "orange");
    }
  }
  for (const RecordedEvent& event : events) {
    if (event.kind != RecordedKind::read || !event.reads_from) continue;
    std::uint32_t rank = 0;
    if (*event.reads_from < events.size()) {
      const RecordedEvent& source = events[*event.reads_from];
      rank = source.coherence_rank;
      add_edge(text, source, event, "rf", "green4");
      if (rank == 0) continue;
    }
    const auto location = writes.find(event.address);
    if (location == writes.end()) continue;
    const auto newer = location->second.upper_bound(rank);
    if (newer != location->second.end()) add_edge(text, event, events[newer->second], "fr", "red");
  }
}

}  // namespace

std::string dot_report(const bytecode::Program& program, const CheckReport& report) {
  std::string text = "digraph execution {\n  node [shape=box, fontname=\"monospace\"];\n";
  if (report.errors.empty()) {
    text += fmt::format("  label={};\n}}\n", quoted(fmt::format("verdict: {}", name_of(report.verdict))));
    return text;
  }
  const bytecode::Violation& error = report.errors.front();
  const Names names(program, error.execution);
  text += fmt::format("  label={};\n", quoted(headline(names, error)));
  add_threads(text, names, error);
  add_relations(text, error.execution);
  return text + "}\n";
}

}  // namespace heddle::report
