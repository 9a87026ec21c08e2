// See events_that_matter.h. A fixed point over (thread, last index that matters): when it grows, the locations accessed
// before it grow, and with them the writes that matter.
#include "report/events_that_matter.h"

#include <map>
#include <set>

namespace heddle::report {

using bytecode::AccessKind;
using bytecode::Address;
using bytecode::ErrorKind;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

constexpr unsigned most_steps_of_a_thread = 12;

bool about_memory(ErrorKind kind) {
  return kind == ErrorKind::use_after_free || kind == ErrorKind::double_free || kind == ErrorKind::invalid_free ||
         kind == ErrorKind::out_of_bounds;
}

bool is_setup(AccessKind access) {
  return access == AccessKind::mutex_init || access == AccessKind::mutex_destroy ||
         access == AccessKind::barrier_look || access == AccessKind::barrier_init ||
         access == AccessKind::barrier_destroy;
}

std::set<Address> shared_locations(const bytecode::Violation& violation) {
  std::map<Address, std::uint32_t> first_thread;
  std::set<Address> shared;
  for (const bytecode::RecordedWait& wait : violation.waits) shared.insert(wait.address);
  for (const RecordedEvent& event : violation.execution.events) {
    if (!is_access(event)) continue;
    const auto [entry, fresh] = first_thread.emplace(event.address, event.thread);
    if (!fresh && entry->second != event.thread) shared.insert(event.address);
  }
  return shared;
}

// The steps worth showing at all, if the error depends on them.
bool interesting(const bytecode::Violation& violation, const RecordedEvent& event, const std::set<Address>& shared) {
  const bool setup_errors = violation.kind == ErrorKind::lock_misuse || violation.kind == ErrorKind::barrier_misuse;
  switch (event.kind) {
    case RecordedKind::read:
    case RecordedKind::write:
      if (setup_errors && violation.address != 0 && event.address == violation.address) return true;
      if (is_setup(event.access)) return false;
      return shared.contains(event.address);
    case RecordedKind::fence:
    case RecordedKind::arrive:
    case RecordedKind::leave:
    case RecordedKind::choice: return true;
    case RecordedKind::allocate:
    case RecordedKind::release: {
      if (!about_memory(violation.kind)) return false;
      const auto& objects = violation.execution.objects;
      if (event.object >= objects.size()) return false;
      const bytecode::RecordedObject& object = objects[event.object];
      return violation.address >= object.address &&
             violation.address - object.address < object.size + bytecode::object_gap;
    }
    case RecordedKind::create:
    case RecordedKind::join: return violation.kind == ErrorKind::thread_misuse;
    default: return false;
  }
}

// For each thread, how many of its events the error can depend on.
std::map<std::uint32_t, std::uint32_t> dependence(const bytecode::Violation& violation,
                                                  const std::set<Address>& shared) {
  std::map<std::uint32_t, std::uint32_t> until;
  const auto raise = [&](std::uint32_t thread, std::uint32_t end) {
    auto& value = until[thread];
    if (value >= end) return false;
    value = end;
    return true;
  };
  const auto& events = violation.execution.events;
  if (violation.waits.empty()) raise(violation.thread, 0xffffffff);
  for (const bytecode::RecordedWait& wait : violation.waits) raise(wait.thread, 0xffffffff);
  for (const std::uint32_t e : violation.events) {
    if (e < events.size()) raise(events[e].thread, events[e].index + 1);
  }
  for (bool grown = true; grown;) {
    grown = false;
    std::set<Address> accessed;
    for (const RecordedEvent& event : events) {
      if (is_access(event) && shared.contains(event.address) && event.index < until[event.thread])
        accessed.insert(event.address);
    }
    for (const RecordedEvent& event : events) {
      const bool about_object = (event.kind == RecordedKind::release || event.kind == RecordedKind::allocate) &&
                                interesting(violation, event, shared);
      if (about_object || (event.kind == RecordedKind::write && accessed.contains(event.address))) {
        grown |= raise(event.thread, event.index + 1);
      }
    }
  }
  return until;
}

}  // namespace

ThatMatter events_that_matter(const bytecode::Violation& violation, const std::vector<Step>& steps,
                              const std::vector<std::uint32_t>& needed) {
  const auto& events = violation.execution.events;
  const std::set<Address> shared = shared_locations(violation);
  const auto until = dependence(violation, shared);
  ThatMatter result;
  result.keep.assign(steps.size(), 0);
  std::map<std::uint32_t, unsigned> kept;
  for (std::size_t s = steps.size(); s-- > 0;) {
    const RecordedEvent& event = events[steps[s].first];
    const auto limit = until.find(event.thread);
    if (limit == until.end() || event.index >= limit->second || !interesting(violation, event, shared)) continue;
    if (++kept[event.thread] > most_steps_of_a_thread) {
      ++result.left_out;
    } else {
      result.keep[s] = 1;
    }
  }
  const std::vector<std::uint32_t> step_of = step_of_event(violation.execution, steps);
  const auto need = [&](std::uint32_t s) {
    if (s < result.keep.size() && result.keep[s] == 0) result.keep[s] = 1;
  };
  for (const std::uint32_t s : needed) need(s);
  for (const std::uint32_t e : violation.events) {
    if (e < step_of.size()) need(step_of[e]);
  }
  return result;
}

}  // namespace heddle::report
