// See json_report.h. Fields keep the order in which they are written here, so the same result is the same text.
#include "report/json_report.h"

#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "report/describe_error.h"
#include "report/describe_step.h"
#include "report/explain_order.h"
#include "report/path_text.h"
#include "report/source_lines.h"

namespace heddle::report {

using bytecode::CodePosition;
using bytecode::Program;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;
using bytecode::Violation;
using OrderedJson = nlohmann::ordered_json;

namespace {

OrderedJson location(const Program& program, CodePosition position) {
  const bytecode::SourcePosition source = source_of(program, position);
  if (source.line == 0) return nullptr;
  OrderedJson result = {{"file", file_of(program, source)}, {"line", source.line}};
  if (source.column != 0) result["column"] = source.column;
  return result;
}

const char* kind_name(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::read: return "read";
    case RecordedKind::write: return "write";
    case RecordedKind::fence: return "fence";
    case RecordedKind::create: return "create";
    case RecordedKind::begin: return "begin";
    case RecordedKind::finish: return "finish";
    case RecordedKind::join: return "join";
    case RecordedKind::allocate: return "allocate";
    case RecordedKind::release: return "free";
    case RecordedKind::meet: return "barrier-meet";
    case RecordedKind::arrive: return "barrier-arrive";
    case RecordedKind::leave: return "barrier-leave";
    case RecordedKind::pass: return "barrier-pass";
    case RecordedKind::choice: return "choice";
    case RecordedKind::print: return "print";
    case RecordedKind::other: return "other";
  }
  return "other";
}

const char* access_name(bytecode::AccessKind access) {
  using bytecode::AccessKind;
  switch (access) {
    case AccessKind::ordinary: return nullptr;
    case AccessKind::rmw: return "read-modify-write";
    case AccessKind::compare_exchange: return "compare-exchange";
    case AccessKind::add_between: return "conditional-add";
    case AccessKind::lock: return "lock";
    case AccessKind::trylock: return "trylock";
    case AccessKind::unlock: return "unlock";
    case AccessKind::mutex_init: return "mutex-init";
    case AccessKind::mutex_destroy: return "mutex-destroy";
    case AccessKind::barrier_look: return "barrier-look";
    case AccessKind::barrier_arrive: return "barrier-arrive";
    case AccessKind::barrier_leave: return "barrier-leave";
    case AccessKind::barrier_init: return "barrier-init";
    case AccessKind::barrier_destroy: return "barrier-destroy";
  }
  return nullptr;
}

OrderedJson source_of_read(const bytecode::RecordedExecution& execution, const RecordedEvent& event) {
  if (!event.reads_from) return nullptr;
  if (*event.reads_from == bytecode::initial_write) return "initial";
  if (*event.reads_from >= execution.events.size()) return nullptr;
  const RecordedEvent& source = execution.events[*event.reads_from];
  return OrderedJson::array({source.thread, source.index});
}

OrderedJson event_json(const Names& names, const RecordedEvent& event) {
  OrderedJson result = {{"thread", event.thread}, {"index", event.index}, {"kind", kind_name(event.kind)}};
  const bool access = is_access(event);
  result["order"] =
      access || event.kind == RecordedKind::fence ? OrderedJson(name_of(event.order)) : OrderedJson(nullptr);
  result["variable"] = nullptr;
  result["value"] = nullptr;
  if (access) {
    result["variable"] = names.address(event.address, event.size).text;
    result["value"] = names.value(event.value, event.size, event.address);
  } else if (event.kind == RecordedKind::choice) {
    result["value"] = fmt::format("{}", static_cast<std::int64_t>(event.value.low));
  } else if (event.kind == RecordedKind::allocate || event.kind == RecordedKind::release) {
    const auto& objects = names.execution().objects;
    if (event.object < objects.size()) result["variable"] = names.address(objects[event.object].address, 0).text;
  } else if (event.kind == RecordedKind::create || event.kind == RecordedKind::join) {
    result["other_thread"] = event.other_thread;
  }
  result["reads_from"] = source_of_read(names.execution(), event);
  if (event.kind == RecordedKind::write) result["coherence"] = event.coherence_rank;
  if (const char* part = access_name(event.access)) result["part_of"] = part;
  const bool has_place = event.kind != RecordedKind::begin;
  result["location"] = has_place ? location(names.program(), event.position) : OrderedJson(nullptr);
  return result;
}

OrderedJson threads_json(const Names& names) {
  OrderedJson result = OrderedJson::array();
  for (const bytecode::RecordedThread& thread : names.execution().threads) {
    result.push_back(
        {{"id", thread.id},
         {"name", names.thread(thread.id)},
         {"created_at", thread.creator ? location(names.program(), thread.created) : OrderedJson(nullptr)}});
  }
  return result;
}

void add_order(OrderedJson& result, const Names& names, const Violation& violation, const std::string& model) {
  const std::vector<Step> steps = steps_of(violation.execution);
  const Order order = find_order(violation.execution, steps, violation.events);
  if (!order.cycle.empty()) {
    result["interleaving"] = nullptr;
    result["reordering"] = tell_reordering(names, steps, order, model, home_file(names, violation));
    return;
  }
  OrderedJson list = OrderedJson::array();
  const auto add = [&](std::uint32_t e) {
    const RecordedEvent& event = violation.execution.events[e];
    list.push_back(OrderedJson::array({event.thread, event.index}));
  };
  for (const std::uint32_t s : order.interleaving) {
    add(steps[s].first);
    if (steps[s].second) add(*steps[s].second);
  }
  result["interleaving"] = std::move(list);
}

OrderedJson waits_json(const Names& names, const Violation& violation) {
  OrderedJson result = OrderedJson::array();
  for (const bytecode::RecordedWait& wait : violation.waits) {
    result.push_back({{"thread", wait.thread},
                      {"message", describe_wait(names, wait, home_file(names, violation))},
                      {"location", location(names.program(), wait.position)}});
  }
  return result;
}

OrderedJson error_json(const Program& program, const Violation& violation, const std::string& model) {
  const Names names(program, violation.execution);
  OrderedJson result = {{"kind", name_of(violation.kind)},
                        {"message", headline(names, violation)},
                        {"location", location(program, violation.position)},
                        {"thread", violation.thread}};
  result["threads"] = threads_json(names);
  OrderedJson events = OrderedJson::array();
  for (const RecordedEvent& event : violation.execution.events) events.push_back(event_json(names, event));
  result["events"] = std::move(events);
  OrderedJson concerned = OrderedJson::array();
  for (const std::uint32_t e : violation.events) {
    if (e >= violation.execution.events.size()) continue;
    concerned.push_back(
        OrderedJson::array({violation.execution.events[e].thread, violation.execution.events[e].index}));
  }
  result["concerned"] = std::move(concerned);
  if (!violation.waits.empty()) result["waits"] = waits_json(names, violation);
  add_order(result, names, violation, model);
  result["path"] = encode_path(violation.path);
  result["validated"] = violation.validated;
  return result;
}

OrderedJson replay_json(const Setup& setup) {
  return {{"files", setup.files},
          {"clang_flags", setup.clang_flags},
          {"entry", setup.entry},
          {"model", setup.model},
          {"unroll", setup.unroll ? OrderedJson(*setup.unroll) : OrderedJson(nullptr)},
          {"unroll_loops", setup.unroll_loops},
          {"no_unroll", setup.no_unroll},
          {"race_detection", setup.race_detection},
          {"liveness", setup.liveness},
          {"spin_assume", setup.spin_assume},
          {"unordered_barriers", setup.unordered_barriers},
          {"spurious_wakeups", setup.spurious_wakeups},
          {"merge_peeled_rounds", setup.merge_peeled_rounds},
          {"maximal_shortcut", setup.maximal_shortcut},
          {"model_specialisation", setup.specialise_model},
          {"writes_first", setup.writes_first},
          {"cycle_filter", setup.cycle_filter},
          {"remember_threads", setup.remember_threads},
          {"futile_pruning", setup.prune_futile},
          {"ignore_rewriting", setup.ignore_rewriting},
          {"undone_updates", setup.undone_updates},
          {"undone_among_others", setup.undone_among_others},
          {"step_limit", setup.step_limit}};
}

OrderedJson warnings_json(const Program& program, const CheckReport& report) {
  OrderedJson result = OrderedJson::array();
  for (const Violation& warning : report.warnings) {
    const Names names(program, warning.execution);
    CodePosition position = warning.position;
    if (const bytecode::RecordedObject* object = names.object_at(warning.address)) position = object->allocated;
    result.push_back({{"kind", name_of(warning.kind)},
                      {"message", headline(names, warning)},
                      {"location", location(program, position)}});
  }
  for (const std::string& note : report.notes)
    result.push_back({{"kind", "note"}, {"message", note}, {"location", nullptr}});
  for (const Diagnostic& problem : report.problems) {
    OrderedJson where = nullptr;
    if (!problem.file.empty()) where = {{"file", problem.file}, {"line", problem.line}};
    result.push_back({{"kind", "unsupported"}, {"message", problem.message}, {"location", where}});
  }
  return result;
}

}  // namespace

std::string json_report(const Program& program, const CheckReport& report) {
  OrderedJson result = {{"tool", "heddle"},
                        {"version", tool_version},
                        {"format", trace_format},
                        {"command", "check"},
                        {"files", report.setup.files},
                        {"model", report.model_name},
                        {"equivalence", report.equivalence},
                        {"verdict", name_of(report.verdict)}};
  if (!report.reason.empty()) result["reason"] = report.reason;
  result["executions"] = {{"complete", report.complete}, {"blocked", report.blocked}, {"bounded", report.bounded}};
  if (report.dropped != 0) result["executions"]["dropped"] = report.dropped;
  result["statistics"] = {{"events_added", report.events_added},
                          {"consistency_checks", report.consistency_checks},
                          {"revisits", report.revisits},
                          {"thread_runs", report.thread_runs}};
  result["errors"] = OrderedJson::array();
  for (const Violation& error : report.errors)
    result["errors"].push_back(error_json(program, error, report.model_name));
  result["bounds"] = OrderedJson::array();
  for (const Bound& bound : report.bounds) {
    result["bounds"].push_back({{"kind", "loop"},
                                {"location", location(program, bound.position)},
                                {"cuts", bound.cuts},
                                {"limit", bound.limit ? OrderedJson(*bound.limit) : OrderedJson(nullptr)}});
  }
  result["warnings"] = warnings_json(program, report);
  result["replay"] = replay_json(report.setup);
  result["time_s"] = std::round(report.seconds * 1000) / 1000;
  result["peak_memory_mb"] = report.peak_memory_mb;
  result["workers"] = report.workers;
  // Bytes that are no UTF-8 (a source file's name or text may hold any) are replaced, never an exception.
  return result.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace heddle::report
