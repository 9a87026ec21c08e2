// See describe_step.h.
#include "report/describe_step.h"

#include <map>
#include <utility>

#include <fmt/format.h>

#include "report/source_lines.h"

namespace heddle::report {

using bytecode::AccessKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

const RecordedEvent& event_of(const Names& names, std::uint32_t index) { return names.execution().events[index]; }

std::string variable(const Names& names, const RecordedEvent& event) {
  return names.address(event.address, event.size).text;
}

std::string value(const Names& names, const RecordedEvent& event) {
  return names.value(event.value, event.size, event.address);
}

std::string describe_object(const Names& names, const RecordedEvent& event) {
  const auto& objects = names.execution().objects;
  if (event.object >= objects.size()) return "an object";
  const bytecode::RecordedObject& object = objects[event.object];
  std::string name = names.address(object.address, 0).text;
  return object.kind == bytecode::ObjectKind::heap ? name.substr(0, name.rfind('[')) : name;
}

// Mutexes and barriers speak in their own verbs; empty for ordinary accesses.
std::string describe_synchronisation(const Names& names, const RecordedEvent& event, bool both_halves) {
  const std::string name = variable(names, event);
  switch (event.access) {
    case AccessKind::lock: return both_halves ? "locks " + name : "waits for " + name;
    case AccessKind::trylock:
      return both_halves ? fmt::format("tries {}: taken", name) : fmt::format("tries {}: busy", name);
    case AccessKind::unlock: return "unlocks " + name;
    case AccessKind::mutex_init:
    case AccessKind::barrier_init: return "sets up " + name;
    case AccessKind::mutex_destroy:
    case AccessKind::barrier_destroy: return "destroys " + name;
    case AccessKind::barrier_look: return "comes to " + name;
    case AccessKind::barrier_arrive: return "arrives at " + name;
    case AccessKind::barrier_leave: return "passes " + name;
    default: return "";
  }
}

// Everything but ordinary reads and writes.
std::string describe_other(const Names& names, const RecordedEvent& event) {
  switch (event.kind) {
    case RecordedKind::fence: return "fence";
    case RecordedKind::create: return "starts " + names.thread(event.other_thread);
    case RecordedKind::join: return "joins " + names.thread(event.other_thread);
    case RecordedKind::arrive: return "arrives at " + names.address(event.address, 4).text;
    case RecordedKind::leave: return "passes " + names.address(event.address, 4).text;
    case RecordedKind::begin: return "begins";
    case RecordedKind::finish: return "ends";
    case RecordedKind::allocate: {
      const auto& objects = names.execution().objects;
      const std::uint64_t size = event.object < objects.size() ? objects[event.object].size : 0;
      return fmt::format("allocates {} ({} bytes)", describe_object(names, event), size);
    }
    case RecordedKind::release: {
      const auto& objects = names.execution().objects;
      const bool heap = event.object >= objects.size() || objects[event.object].kind == bytecode::ObjectKind::heap;
      return fmt::format("{} {}", heap ? "frees" : "leaves the scope of", describe_object(names, event));
    }
    case RecordedKind::choice: return fmt::format("chooses {}", static_cast<std::int64_t>(event.value.low));
    case RecordedKind::print: return "prints";
    default: return "goes on";
  }
}

}  // namespace

bool is_access(const RecordedEvent& event) {
  return event.kind == RecordedKind::read || event.kind == RecordedKind::write;
}

std::vector<Step> steps_of(const bytecode::RecordedExecution& execution) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> at;
  for (std::uint32_t i = 0; i < execution.events.size(); ++i)
    at[{execution.events[i].thread, execution.events[i].index}] = i;
  std::vector<Step> steps;
  for (std::uint32_t i = 0; i < execution.events.size(); ++i) {
    const RecordedEvent& event = execution.events[i];
    if (event.exclusive && event.kind == RecordedKind::read) {
      const auto next = at.find({event.thread, event.index + 1});
      if (next != at.end()) {
        const RecordedEvent& write = execution.events[next->second];
        if (write.exclusive && write.kind == RecordedKind::write && write.address == event.address) {
          steps.push_back({i, next->second});
          continue;
        }
      }
    }
    if (event.exclusive && event.kind == RecordedKind::write && event.index > 0) {
      const auto previous = at.find({event.thread, event.index - 1});
      if (previous != at.end()) {
        const RecordedEvent& read = execution.events[previous->second];
        if (read.exclusive && read.kind == RecordedKind::read && read.address == event.address) continue;
      }
    }
    steps.push_back({i, std::nullopt});
  }
  return steps;
}

std::vector<std::uint32_t> step_of_event(const bytecode::RecordedExecution& execution, const std::vector<Step>& steps) {
  std::vector<std::uint32_t> result(execution.events.size(), 0);
  for (std::uint32_t s = 0; s < steps.size(); ++s) {
    result[steps[s].first] = s;
    if (steps[s].second) result[*steps[s].second] = s;
  }
  return result;
}

std::string describe_step(const Names& names, const Step& step) {
  const RecordedEvent& event = event_of(names, step.first);
  if (!is_access(event)) return describe_other(names, event);
  if (std::string text = describe_synchronisation(names, event, step.second.has_value()); !text.empty()) return text;
  if (step.second) {
    return fmt::format("{}: {} -> {}", variable(names, event), value(names, event),
                       value(names, event_of(names, *step.second)));
  }
  if (event.kind == RecordedKind::write) return fmt::format("{} = {}", variable(names, event), value(names, event));
  return fmt::format("reads {}: {}", variable(names, event), value(names, event));
}

std::string note_on_step(const Names& names, const Step& step, std::uint32_t home) {
  const RecordedEvent& event = event_of(names, step.first);
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : ", ") + text; };
  const bool has_order = event.kind == RecordedKind::fence ||
                         (is_access(event) && (event.access == AccessKind::ordinary ||
                                               event.access == AccessKind::rmw || bytecode::may_fail(event.access)));
  if (has_order && event.order != MemoryOrder::plain) note = name_of(event.order);
  if (has_order && step.second) {
    const MemoryOrder write = event_of(names, *step.second).order;
    if (acquires(event.order) && releases(write) && event.order != MemoryOrder::seq_cst)
      note = "acq_rel";
    else if (releases(write))
      note = name_of(write);
  }
  if (event.access == AccessKind::compare_exchange && event.kind == RecordedKind::read && !step.second)
    add("compare-exchange fails");
  if (event.kind == RecordedKind::read && event.reads_from && has_order) {
    if (*event.reads_from == bytecode::initial_write) {
      add("initial value");
    } else if (*event.reads_from < names.execution().events.size()) {
      const RecordedEvent& source = event_of(names, *event.reads_from);
      add("from " + line_or_place(names.program(), source.position, home));
    }
  }
  return note;
}

std::string sentence_of_step(const Names& names, const Step& step) {
  const RecordedEvent& event = event_of(names, step.first);
  if (!is_access(event)) return describe_step(names, step);
  if (std::string text = describe_synchronisation(names, event, step.second.has_value()); !text.empty()) return text;
  if (step.second) {
    return fmt::format("changes {} from {} to {}", variable(names, event), value(names, event),
                       value(names, event_of(names, *step.second)));
  }
  const bool write = event.kind == RecordedKind::write;
  return fmt::format("{} {} = {}", write ? "writes" : "reads", variable(names, event), value(names, event));
}

}  // namespace heddle::report
