// See describe_error.h.
#include "report/describe_error.h"

#include <algorithm>

#include <fmt/format.h>

#include "report/describe_step.h"
#include "report/source_lines.h"

namespace heddle::report {

using bytecode::ErrorKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;
using bytecode::RecordedWait;
using bytecode::Violation;

namespace {

// The object that an error of memory is about, by name: without the offset that heap objects carry.
std::string object_name(const Names& names, bytecode::Address address) {
  const bytecode::RecordedObject* object = names.object_at(address);
  if (!object) return names.address(address, 1).text;
  std::string name = names.address(object->address, 0).text;
  return object->kind == bytecode::ObjectKind::heap ? name.substr(0, name.rfind('[')) : name;
}

std::string size_of_object(std::uint64_t size) { return size == 1 ? "1 byte" : fmt::format("{} bytes", size); }

void add_life_of_object(const Names& names, const Violation& violation, std::vector<std::string>& lines) {
  const bytecode::RecordedObject* object = names.object_at(violation.address);
  if (!object) return;
  const std::string name = object_name(names, violation.address);
  const bool heap = object->kind == bytecode::ObjectKind::heap;
  lines.push_back(fmt::format("{} ({}) was {} at {}, by {}", name, size_of_object(object->size),
                              heap ? "allocated" : "declared", place(names.program(), object->allocated),
                              names.thread_with_number(object->thread)));
  if (!object->released) return;
  std::uint32_t by = object->thread;
  const auto index = static_cast<std::uint32_t>(object - names.execution().objects.data());
  for (const RecordedEvent& event : names.execution().events) {
    if (event.kind == RecordedKind::release && event.object == index) by = event.thread;
  }
  lines.push_back(fmt::format("{} was {} at {}, by {}", name, heap ? "freed" : "gone when its function returned",
                              place(names.program(), *object->released), names.thread_with_number(by)));
}

void add_race(const Names& names, const Violation& violation, std::vector<std::string>& lines) {
  const std::vector<Step> steps = steps_of(names.execution());
  const std::vector<std::uint32_t> step_of = step_of_event(names.execution(), steps);
  std::vector<std::uint32_t> events = violation.events;
  std::sort(events.begin(), events.end());  // the older one first
  for (const std::uint32_t e : events) {
    if (e >= step_of.size()) continue;
    const RecordedEvent& event = names.execution().events[e];
    lines.push_back(fmt::format("{} {} ({}) at {}", names.thread_with_number(event.thread),
                                sentence_of_step(names, steps[step_of[e]]), name_of(event.order),
                                place(names.program(), event.position)));
  }
  lines.push_back("nothing orders these two accesses");
}

}  // namespace

std::string short_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::assertion: return "assertion failed";
    case ErrorKind::race: return "data race";
    case ErrorKind::use_after_free: return "use after free";
    case ErrorKind::double_free: return "double free";
    case ErrorKind::invalid_free: return "invalid free";
    case ErrorKind::out_of_bounds: return "out of bounds";
    case ErrorKind::uninitialized: return "uninitialized read";
    case ErrorKind::null_dereference: return "null pointer dereferenced";
    case ErrorKind::deadlock: return "deadlock";
    case ErrorKind::liveness: return "spins for ever";
    case ErrorKind::lock_misuse: return "misuse of a mutex";
    case ErrorKind::barrier_misuse: return "misuse of a barrier";
    case ErrorKind::thread_misuse: return "misuse of a thread";
    case ErrorKind::division_by_zero: return "division by zero";
    case ErrorKind::undefined_behavior: return "undefined behavior";
    case ErrorKind::memory_leak: return "memory leak";
  }
  return "error";
}

std::string headline(const Names& names, const Violation& violation) {
  const std::string what = short_name(violation.kind);
  const auto with_message = [&](std::string text) {
    return violation.message.empty() ? text : fmt::format("{}: {}", text, violation.message);
  };
  const std::string variable = violation.address == 0 ? "" : names.address(violation.address, violation.size).text;
  switch (violation.kind) {
    case ErrorKind::race:  // of the program's accesses, or of another rule of the model
      if (violation.address == 0) return with_message(what);
      if (!violation.message.empty() && violation.message != what)
        return fmt::format("{} on {}", violation.message, variable);
      return fmt::format("{} on {}", what, variable);
    case ErrorKind::double_free:
    case ErrorKind::invalid_free: {
      if (violation.address == 0) return with_message(what);
      const bool whole = violation.kind == ErrorKind::double_free;
      return fmt::format("{} of {}", what, whole ? object_name(names, violation.address) : variable);
    }
    case ErrorKind::use_after_free:
    case ErrorKind::out_of_bounds:
    case ErrorKind::uninitialized:
      return violation.address == 0 ? with_message(what) : fmt::format("{}: {}", what, variable);
    case ErrorKind::lock_misuse:
    case ErrorKind::barrier_misuse:
      if (violation.address == 0) return with_message(what);
      return with_message(
          fmt::format("misuse of {} {}", violation.kind == ErrorKind::lock_misuse ? "mutex" : "barrier", variable));
    case ErrorKind::memory_leak:
      if (const bytecode::RecordedObject* object = names.object_at(violation.address)) {
        return fmt::format("{}: {} ({}) is never freed", what, object_name(names, violation.address),
                           size_of_object(object->size));
      }
      return with_message(what);
    default: return with_message(what);
  }
}

std::uint32_t home_file(const Names& names, const Violation& violation) {
  const bytecode::SourcePosition here = source_of(names.program(), violation.position);
  if (here.line != 0) return here.file;
  for (const RecordedEvent& event : violation.execution.events) {
    const bytecode::SourcePosition source = source_of(names.program(), event.position);
    if (source.line != 0) return source.file;
  }
  return 0;
}

std::string describe_wait(const Names& names, const RecordedWait& wait, std::uint32_t home) {
  switch (wait.waits_for) {
    case RecordedWait::For::thread:
      return fmt::format("waits for {} to end",
                         wait.other_thread ? names.thread(*wait.other_thread) : "another thread");
    case RecordedWait::For::barrier:
      return fmt::format("waits at {} for others to arrive", names.address(wait.address, 4).text);
    case RecordedWait::For::change: return "spins for ever";
    case RecordedWait::For::library: {
      const bytecode::WatchedLoop* loop = bytecode::watched_loop_at(names.program(), wait.position);
      return fmt::format("waits for {} for ever", loop != nullptr ? loop->waits_for : "another thread");
    }
    case RecordedWait::For::mutex: break;
  }
  std::string text = "waits for " + names.address(wait.address, 4).text;
  if (!wait.other_thread) return text;
  text +=
      *wait.other_thread == wait.thread ? ", which it holds itself" : ", held by " + names.thread(*wait.other_thread);
  const RecordedEvent* taken = nullptr;
  for (const RecordedEvent& event : names.execution().events) {
    const bool takes = event.access == bytecode::AccessKind::lock || event.access == bytecode::AccessKind::trylock;
    if (!takes || event.kind != RecordedKind::write || event.address != wait.address ||
        event.thread != *wait.other_thread)
      continue;
    if (!taken || event.index > taken->index) taken = &event;
  }
  if (taken) text += " since " + line_or_place(names.program(), taken->position, home);
  return text;
}

namespace {

// Who waits for a mutex or barrier first; those who only wait for another thread to end are its consequence.
void add_waits(const Names& names, const Violation& violation, std::vector<std::string>& lines) {
  std::vector<RecordedWait> waits = violation.waits;
  std::stable_sort(waits.begin(), waits.end(), [](const RecordedWait& a, const RecordedWait& b) {
    return (a.waits_for == RecordedWait::For::thread) < (b.waits_for == RecordedWait::For::thread);
  });
  for (const RecordedWait& wait : waits) {
    lines.push_back(fmt::format("{}, at {}, {}", names.thread_with_number(wait.thread),
                                place(names.program(), wait.position),
                                describe_wait(names, wait, home_file(names, violation))));
  }
}

// Of a loop that spins for ever: what it reads.
void add_spinning_reads(const Names& names, const Violation& violation, std::vector<std::string>& lines) {
  const std::vector<Step> steps = steps_of(names.execution());
  const std::vector<std::uint32_t> step_of = step_of_event(names.execution(), steps);
  for (const std::uint32_t e : violation.events) {
    if (e >= step_of.size()) continue;
    const RecordedEvent& event = names.execution().events[e];
    std::string line = fmt::format("{} {} at {}, and nobody will change it", names.thread_with_number(event.thread),
                                   sentence_of_step(names, steps[step_of[e]]), place(names.program(), event.position));
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
}

}  // namespace

std::vector<std::string> facts(const Names& names, const Violation& violation) {
  std::vector<std::string> lines;
  switch (violation.kind) {
    case ErrorKind::race: add_race(names, violation, lines); break;
    case ErrorKind::use_after_free:
    case ErrorKind::double_free:
    case ErrorKind::invalid_free:
    case ErrorKind::out_of_bounds: add_life_of_object(names, violation, lines); break;
    case ErrorKind::deadlock: add_waits(names, violation, lines); break;
    case ErrorKind::liveness:
      add_waits(names, violation, lines);
      add_spinning_reads(names, violation, lines);
      break;
    default: break;
  }
  return lines;
}

}  // namespace heddle::report
