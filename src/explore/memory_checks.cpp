// Is an access allowed by the program's memory? Bounds and lifetime of objects, uninitialised reads, races, misuse of
// mutexes and barriers, and accesses of different sizes to the same bytes.
#include <algorithm>

#include "consistency/check_full.h"
#include "explore/search.h"

namespace heddle::explore {

using bytecode::Address;
using graph::Event;

namespace {

// Could the access as well have moved its bytes in other portions?
bool is_divisible(const bytecode::Program& program, const Action& action) {
  if (action.block_operation) return true;
  const auto& instruction = program.functions[action.position.function].code[action.position.instruction];
  return instruction.op == bytecode::Opcode::library &&
         static_cast<bytecode::LibraryCall>(instruction.d) == bytecode::LibraryCall::memory_compare;
}

}  // namespace

bool Search::locate(ThreadId t, HistoryNode& node) {
  const Action& action = node.action;
  if (bytecode::is_shared_object(action.address) && !check_object(t, action)) return false;
  LocationId& location = node.event.location;
  if (location == no_location) {
    location = locations_.find(action.address, action.size);
    if (location == no_location) {
      if (bytecode::is_global(action.address) && !check_global(t, action)) return false;
      location = graph_.add_location(action.address, action.size, initial_value(action.address, action.size));
      locations_.add(action.address, action.size, location);
    }
  }
  if (!locations_.overlapping(location).empty()) check_overlaps(t, location, action);
  return true;
}

// Accesses of different sizes to the same bytes are not supported yet. Where one of the two is a memcpy or the like,
// which could as well have moved the bytes in other portions, the exploration starts again with that knowledge.
void Search::check_overlaps(ThreadId t, LocationId location, const Action& action) {
  for (const LocationId other : locations_.overlapping(location)) {
    const graph::Location& overlapped = graph_.location(other);
    EventId access =
        overlapped.last_write != overlapped.initial ? overlapped.last_write : graph_[overlapped.initial].first_reader;
    if (access == no_event) continue;
    const Action& earlier = action_of(access);
    if (is_divisible(program_, earlier) && hints_.learn(action.address, action.size)) throw RestartWithHints{};
    if (is_divisible(program_, action) && hints_.learn(earlier.address, earlier.size)) throw RestartWithHints{};
    throw StopExploration{Outcome::unsupported,
                          Obstacle{"an access of " + std::to_string(action.size) + " bytes overlaps one of " +
                                       std::to_string(earlier.size) +
                                       " bytes: accesses of different sizes to the same memory are not supported yet",
                                   t, action.position, earlier.position}};
  }
}

bool Search::check_global(ThreadId t, const Action& action) {
  auto after = std::upper_bound(program_.globals.begin(), program_.globals.end(), action.address,
                                [](Address a, const bytecode::Global& global) { return a < global.address; });
  if (after != program_.globals.begin()) {
    const bytecode::Global& global = *(after - 1);
    if (action.address + action.size <= global.address + global.size) return true;
  }
  report(ErrorKind::out_of_bounds, "access outside of any object", t, action.position, action.address, action.size);
  return false;
}

bool Search::check_object(ThreadId t, const Action& action) {
  const Address offset = action.address - bytecode::shared_base(bytecode::owner_thread(action.address));
  if (offset < program_.shared_thread_local_bytes) {
    for (const auto& variable : program_.thread_locals)
      if (variable.shared && offset >= variable.offset && offset + action.size <= variable.offset + variable.size)
        return true;
  } else if (const MemoryObject* object = objects_.nearest(action.address)) {
    if (object->released != no_event) {
      report(ErrorKind::use_after_free,
             object->kind == machine::ObjectKind::heap ? "use of memory after it was freed"
                                                       : "use of a local variable after its function has returned",
             t, action.position, action.address, action.size, {object->released, object->allocated});
      return false;
    }
    if (action.address + action.size <= object->address + object->size) return true;
    report(ErrorKind::out_of_bounds, "access beyond the end of an object", t, action.position, action.address,
           action.size, {object->allocated});
    return false;
  }
  report(ErrorKind::out_of_bounds, "access outside of any object", t, action.position, action.address, action.size);
  return false;
}

Value Search::initial_value(Address address, unsigned size) const {
  Value value;
  if (!machine_.initial_value(address, size, value)) value = {};  // heap and stack start as zeroes or uninitialised
  return value;
}

bool Search::reads_uninitialised(const Event& read) const {
  if (graph_[read.reads_from].kind != EventKind::initial) return false;
  const Address address = graph_.location(read.location).address;
  if (!bytecode::is_shared_object(address)) return false;
  const Address offset = address - bytecode::shared_base(bytecode::owner_thread(address));
  if (offset < program_.shared_thread_local_bytes) return false;
  const MemoryObject* object = objects_.nearest(address);
  return object == nullptr || !object->zeroed;
}

std::string Search::message_of(const consistency::ErrorRule& rule) {
  return rule.name == "race" ? "data race" : "`" + rule.name + "`, a rule of the model, is broken";
}

bool Search::find_no_race(EventId e) {
  const auto violation = checker_->erroneous(e);
  if (!violation) return true;
  const Action& action = action_of(e);
  const std::string message = message_of(*violation->rule);
  if (violation->rule->warning) {
    warn(ErrorKind::race, message, graph_[e].thread, action, {violation->second, violation->first});
    return true;
  }
  // A read that is tried with another source has not been answered yet: what its thread did with the old value is over.
  if (graph_[e].kind == EventKind::read && graph_.last_of(graph_[e].thread) == e) park(graph_[e].thread, origins_[e]);
  report(ErrorKind::race, message, graph_[e].thread, action.position, action.address, action.size,
         {violation->second, violation->first});
  return false;
}

bool Search::check_misuse(ThreadId t, const Action& action, LocationId location) {
  const std::uint64_t word = graph_[graph_.location(location).last_write].value.low;
  const bool held = (word & machine::mutex_held_mask) != 0;
  const bool barrier_ready = word >> 63 != 0;
  ErrorKind kind = ErrorKind::lock_misuse;
  const char* misuse = nullptr;
  switch (action.access) {
    case AccessKind::mutex_init:
      if (held) misuse = "initialisation of a mutex that is held";
      break;
    case AccessKind::mutex_destroy:
      if (held) misuse = "destruction of a mutex that is held";
      break;
    case AccessKind::barrier_init:
      kind = ErrorKind::barrier_misuse;
      if (barrier_ready) misuse = "initialisation of a barrier that is initialised already";
      break;
    case AccessKind::barrier_destroy:
      kind = ErrorKind::barrier_misuse;
      if (!barrier_ready) misuse = "destruction of a barrier that is not initialised";
      break;
    default: break;
  }
  if (misuse == nullptr) return true;
  report(kind, misuse, t, action.position, action.address, action.size);
  return false;
}

bool Search::add_release(ThreadId t) {
  const Action& action = slots_[t].node->action;
  MemoryObject* object = objects_.nearest(action.address);
  if (object == nullptr || object->address != action.address || object->kind != action.object) {
    report(ErrorKind::invalid_free, "free of a pointer that malloc did not return", t, action.position, action.address);
    return false;
  }
  if (object->released != no_event) {
    report(ErrorKind::double_free, "memory is freed twice", t, action.position, action.address, 0,
           {object->released, object->allocated});
    return false;
  }
  const EventId e = add(t);
  entered(e);
  checker_->update_views(e);
  if (!has_late_parts_ && !check_no_later_use(e, *object)) return false;
  go_on(t);
  return true;
}

// Every access to the object must come before its release, in the order that the model synchronises by.
bool Search::check_no_later_use(EventId release, const MemoryObject& object) {
  const graph::ConstView before = graph_.view(checker_->happens_before_view(), release);
  for (ThreadId t = 0; t < graph_.thread_count(); ++t) {
    const auto events = graph_.events_of(t);
    for (std::size_t i = events.size(); i-- > before[t];) {
      const Event& event = graph_[events[i]];
      if (event.location == no_location || events[i] == release) continue;
      const Address address = graph_.location(event.location).address;
      if (address < object.address || address >= object.address + object.size) continue;
      if (has_late_parts_ && consistency::synchronised(model_, graph_, events[i], release)) continue;
      const Action& action = action_of(events[i]);
      report(ErrorKind::use_after_free,
             object.kind == machine::ObjectKind::heap
                 ? "memory is freed while another thread may still use it"
                 : "a function returns while another thread may still use its local variable",
             t, action.position, action.address, action.size, {events[i], release, object.allocated});
      return false;
    }
  }
  return true;
}

}  // namespace heddle::explore
