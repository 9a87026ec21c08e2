// The words for a cycle (explain_order.h): which links of it are program order that no memory order keeps, and why.
#include <algorithm>

#include <fmt/format.h>

#include "report/explain_order.h"
#include "report/source_lines.h"

namespace heddle::report {

using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

// Said if no single link is to blame.
constexpr const char* no_common_order =
    "each thread keeps its own order, but the threads do not agree on one order of all accesses, as they would if "
    "these were seq_cst";

const RecordedEvent& event_of(const Names& names, std::uint32_t index) { return names.execution().events[index]; }

bool fenced(const Names& names, const RecordedEvent& first, const RecordedEvent& second, bool sequential_only) {
  return std::any_of(names.execution().events.begin(), names.execution().events.end(), [&](const RecordedEvent& event) {
    return event.kind == RecordedKind::fence && event.thread == first.thread && event.index > first.index &&
           event.index < second.index && (!sequential_only || event.order == MemoryOrder::seq_cst);
  });
}

std::string line(const Names& names, const RecordedEvent& event, std::uint32_t home) {
  return line_or_place(names.program(), event.position, home);
}

// "line 12 of writer"
std::string line_of_thread(const Names& names, const Step& step, std::uint32_t home) {
  const RecordedEvent& event = event_of(names, step.first);
  return fmt::format("{} of {}", line(names, event, home), names.thread(event.thread));
}

// "writes data = 42 (line 12)"; for a read, which write it saw, if that is the link that led here.
std::string step_with_line(const Names& names, const Step& step, const Step* source, std::uint32_t home) {
  std::string where = line(names, event_of(names, step.first), home);
  if (source) where += ", from " + line(names, event_of(names, source->first), home);
  return fmt::format("{} ({})", sentence_of_step(names, step), where);
}

// What the link after a step says about it: "older than line 12 of writer".
std::string link_in_words(const Names& names, Link link, const Step& next, std::uint32_t home) {
  switch (link) {
    case Link::from_read: return ", older than " + line_of_thread(names, next, home);
    case Link::coherence: return ", overwritten by " + line_of_thread(names, next, home);
    default: return "";
  }
}

bool has_program_order_after(const Order& order, std::size_t i) { return order.cycle[i].next == Link::program_order; }

}  // namespace

std::optional<std::string> why_unordered(const Names& names, const Step& first, const Step& second,
                                         const std::string& model, std::uint32_t home) {
  // The halves that matter: what the first step did last, what the second does first.
  const RecordedEvent& a = event_of(names, first.second.value_or(first.first));
  const RecordedEvent& b = event_of(names, second.first);
  if (a.thread != b.thread || !is_access(a) || !is_access(b) || a.address == b.address) return std::nullopt;
  const bool a_writes = a.kind == RecordedKind::write, b_writes = b.kind == RecordedKind::write || second.second;
  const RecordedEvent& b_write = event_of(names, second.second.value_or(second.first));
  const bool a_reads = event_of(names, first.first).kind == RecordedKind::read;
  const RecordedEvent& a_read = event_of(names, first.first);
  if (a_writes && !a_reads && !b_writes) {  // store buffering: the only reordering that TSO has
    if (model == "ra") {  // seq_cst means no more than acquire and release there
      return fmt::format("model ra lets the write of {} be delayed past the read of {}", line(names, a, home),
                         line(names, b, home));
    }
    if (a.order == MemoryOrder::seq_cst && b.order == MemoryOrder::seq_cst) return std::nullopt;
    if (fenced(names, a, b, true)) return std::nullopt;
    return fmt::format("the write of {} may be delayed past the read of {}, as they are not both seq_cst",
                       line(names, a, home), line(names, b, home));
  }
  if (model == "tso" || model == "sc" || fenced(names, a, b, false)) return std::nullopt;
  if (a_reads && acquires(a_read.order)) return std::nullopt;
  if (b_writes && releases(b_write.order)) return std::nullopt;
  if (a_writes && b_writes)
    return fmt::format("the write of {} is only {}", line(names, b, home), name_of(b_write.order));
  if (a_reads && !b_writes)
    return fmt::format("the read of {} is only {}", line(names, a, home), name_of(a_read.order));
  if (a_reads) {
    return fmt::format("the read of {} is only {} and the write of {} only {}", line(names, a, home),
                       name_of(a_read.order), line(names, b, home), name_of(b_write.order));
  }
  return std::nullopt;
}

std::vector<std::string> tell_cycle(const Names& names, const std::vector<Step>& steps, const Order& order,
                                    const std::string& model, std::uint32_t home) {
  std::vector<std::string> lines;
  bool weak = false;
  const std::size_t count = order.cycle.size();
  const auto step_at = [&](std::size_t i) -> const Step& { return steps[order.cycle[i % count].step]; };
  const auto link_at = [&](std::size_t i) { return order.cycle[i % count].next; };
  // A line for each stay in a thread: the step that enters it, then the step that leaves it.
  for (std::size_t i = 0; i < count; ++i) {
    if (link_at(i + count - 1) == Link::program_order) continue;  // told with the step before
    const Step& here = step_at(i);
    const Step& previous = step_at(i + count - 1);
    const std::uint32_t thread = event_of(names, here.first).thread;
    std::string text = names.thread(thread) + " ";
    text += step_with_line(names, here, link_at(i + count - 1) == Link::reads_from ? &previous : nullptr, home);
    if (link_at(i) != Link::program_order) {
      lines.push_back(text + link_in_words(names, link_at(i), step_at(i + 1), home));
      continue;
    }
    const Step& then = step_at(i + 1);
    const std::uint32_t then_thread = event_of(names, then.first).thread;
    text += then_thread == thread ? ", then " : fmt::format(", then {} ", names.thread(then_thread));
    text += step_with_line(names, then, nullptr, home);
    lines.push_back(text + link_in_words(names, link_at(i + 1), step_at(i + 2), home));
    if (const auto why = why_unordered(names, here, then, model, home)) {
      lines.push_back("  ^ may be reordered: " + *why);
      weak = true;
    }
  }
  if (!weak) lines.push_back(fmt::format("Here {}.", no_common_order));
  return lines;
}

std::string tell_reordering(const Names& names, const std::vector<Step>& steps, const Order& order,
                            const std::string& model, std::uint32_t home) {
  std::string reasons;
  for (std::size_t i = 0; i < order.cycle.size(); ++i) {
    if (!has_program_order_after(order, i)) continue;
    const Step& step = steps[order.cycle[i].step];
    const Step& next = steps[order.cycle[(i + 1) % order.cycle.size()].step];
    const auto why = why_unordered(names, step, next, model, home);
    if (!why) continue;
    const RecordedEvent& event = event_of(names, step.first);
    reasons += fmt::format("{}{}: {} and {} may take effect out of order, {}", reasons.empty() ? "" : "; ",
                           names.thread(event.thread), line(names, event, home),
                           line(names, event_of(names, next.first), home), *why);
  }
  if (reasons.empty()) reasons = no_common_order;
  return "no interleaving of the threads shows this; " + reasons;
}

}  // namespace heddle::report
