// The end of an execution: counting it, deadlocks, leaks; and errors as data.
#include <algorithm>

#include "consistency/check_full.h"
#include "explore/search.h"

namespace heddle::explore {

using bytecode::RecordedEvent;
using bytecode::RecordedExecution;
using bytecode::RecordedKind;
using bytecode::RecordedWait;
using graph::Event;

bool Search::finish_execution() {
  // Whoever waits now would be the main thread, to join others that have ended, and then to end.
  if (idle_ends_ && ready_.none(Readiness::never) && ready_.none_but_first(Readiness::waits) &&
      (slots_[0].node->at_end || slots_[0].node->action.kind == ActionKind::join)) {
    if (options_given_.detect_duplicates || options_given_.on_execution) add_idle_ends();
    return finish_complete();
  }
  if (ended_for_nothing() && !has_late_parts_) {
    ++result_.blocked;
    return false;
  }
  add_idle_ends();
  bool complete = true, bounded = false, stuck = true;  // stuck: nobody will ever go on
  std::vector<RecordedWait> waits;
  std::vector<EventId> spinning_reads;
  for (ThreadId t = 0; t < slots_.size(); ++t) {
    const Slot& slot = slots_[t];
    if (!slot.alive || slot.node->at_end) continue;
    complete = false;
    bounded = bounded || slot.node->action.kind == ActionKind::bound;
    RecordedWait wait;
    if (genuinely_waits(t, wait, spinning_reads))
      waits.push_back(wait);
    else
      stuck = false;
  }
  if (has_late_parts_) {
    if (!consistency::late_constraints_hold(model_, graph_)) {
      ++result_.dropped;
      if (!bounded) return complete;
      ++result_.bounded;  // what comes after the bound may well be allowed
      count_bound_cuts();
      return false;
    }
    if (report_late_errors()) stuck = false;
    if (stop_) return complete;
  }
  if (complete) return finish_complete();
  if (stuck) {
    const auto spins = std::find_if(waits.begin(), waits.end(), [](const RecordedWait& wait) {
      return wait.waits_for == RecordedWait::For::change;
    });
    // Who waits for another thread to end only waits for what that one waits for.
    const auto waiting = std::find_if(waits.begin(), waits.end(), [](const RecordedWait& wait) {
      return wait.waits_for != RecordedWait::For::thread;
    });
    const RecordedWait& first = waiting == waits.end() ? waits[0] : *waiting;
    if (spins == waits.end())
      report(ErrorKind::deadlock, "no thread can go on", first.thread, first.position, first.address, 0, {}, waits);
    else if (options_given_.liveness)
      report(ErrorKind::liveness, "a loop never ends", spins->thread, spins->position, 0, 0, spinning_reads, waits);
    if (stop_) return false;
  }
  if (bounded) {
    ++result_.bounded;
    count_bound_cuts();
  } else {
    ++result_.blocked;
  }
  return false;
}

// Most executions that cannot go on are of no interest: a thread has read an old value in a loop, or an assumption does
// not hold. Nothing has to be looked into then. Also counts who waits in a loop.
bool Search::ended_for_nothing() {
  bool moves = false, bounded = false;
  for (ThreadId t = 0; t < slots_.size(); ++t) {
    const Slot& slot = slots_[t];
    if (!slot.alive || slot.node->at_end) continue;
    const Action& action = slot.node->action;
    if (waits_in_loop(action)) {
      count_loop_wait(action);
      moves = moves || !spins_for_ever(t, nullptr);
    } else if (action.kind == ActionKind::bound) {
      bounded = true;
    } else if (action.kind == ActionKind::block) {
      moves = true;
    }
  }
  return moves && !bounded;
}

bool Search::finish_complete() {
  ++result_.complete;
  if (objects_.live_heap_objects() != 0) report_leaks();
  if (options_given_.detect_duplicates) note_duplicate();
  if (options_given_.on_execution) options_given_.on_execution(record());
  return true;
}

// Does the thread wait for something that other threads could have done, and not just sit behind a failed assumption?
bool Search::genuinely_waits(ThreadId t, RecordedWait& wait, std::vector<EventId>& spinning_reads) const {
  const Action& action = slots_[t].node->action;
  wait.thread = t;
  wait.position = action.position;
  wait.address = action.address;
  if (action.kind == ActionKind::join) {
    wait.waits_for = RecordedWait::For::thread;
    wait.other_thread = action.target;
    return true;
  }
  if (waits_in_loop(action)) {
    const bool library = bytecode::waits_in_library(program_, action.position);
    wait.waits_for = library ? RecordedWait::For::library : RecordedWait::For::change;
    return spins_for_ever(t, &spinning_reads);
  }
  if (action.kind == ActionKind::leave || action.access == AccessKind::barrier_leave) {
    wait.waits_for = RecordedWait::For::barrier;
    return true;
  }
  if (action.kind != ActionKind::read || action.access != AccessKind::lock) return false;
  const LocationId location = locations_.find(action.address, action.size);
  wait.waits_for = RecordedWait::For::mutex;
  wait.other_thread = graph_[graph_.location(location).last_write].thread;
  return true;
}

// Under fair scheduling a thread does not read old values for ever: a loop spins for ever only if everything that its
// last iteration read is the newest there is (thesis 9.2.3.4). A loop that makes choices may choose to end.
bool Search::spins_for_ever(ThreadId t, std::vector<EventId>* newest) const {
  const Action& action = slots_[t].node->action;
  if (!waits_in_loop(action)) return false;
  const std::size_t before = newest != nullptr ? newest->size() : 0;
  const auto events = graph_.events_of(t);
  const std::size_t first = events.size() - action.iteration;
  for (std::size_t i = first; i < events.size(); ++i) {
    const Event& event = graph_[events[i]];
    const bool reads = event.kind == EventKind::read;
    if (reads && graph_[event.reads_from].thread == t &&
        graph_[event.reads_from].index >= graph_[events[first]].index &&
        graph_[event.reads_from].kind != EventKind::initial)
      continue;  // what the iteration itself has written
    const bool may_change = event.kind == EventKind::choice || (reads && !read_the_newest(event));
    if (may_change) {
      if (newest != nullptr) newest->resize(before);
      return false;
    }
    if (newest != nullptr && reads && (event.labels & graph::label_lock_read) == 0) newest->push_back(events[i]);
  }
  return true;
}

// The newest write, or one whose value the newest one, an update, has put back.
bool Search::read_the_newest(const Event& read) const {
  const EventId last = graph_.location(read.location).last_write;
  const bool updated = (graph_[last].labels & (graph::label_rmw_write | graph::label_unlock)) != 0;
  return read.reads_from == last || (updated && graph_[last].value == read.value);
}

void Search::count_loop_wait(const Action& action) {
  auto known = std::find_if(result_.loop_waits.begin(), result_.loop_waits.end(),
                            [&](const LoopWait& wait) { return wait.position == action.position; });
  if (known == result_.loop_waits.end()) known = result_.loop_waits.insert(known, LoopWait{action.position});
  ++known->executions;
  known->undone += action.kind == ActionKind::round;
}

void Search::count_bound_cuts() {
  for (const Slot& slot : slots_) {
    if (!slot.alive || slot.node->action.kind != ActionKind::bound) continue;
    auto known = std::find_if(result_.bounds.begin(), result_.bounds.end(),
                              [&](const LoopBound& bound) { return bound.position == slot.node->action.position; });
    if (known == result_.bounds.end()) known = result_.bounds.insert(known, LoopBound{slot.node->action.position, 0});
    ++known->cuts;
  }
}

namespace {

std::uint64_t place_of(bytecode::CodePosition position) {
  return std::uint64_t{position.function} << 32 | position.instruction;
}

}  // namespace

void Search::report(ErrorKind kind, std::string message, ThreadId t, bytecode::CodePosition position,
                    bytecode::Address address, std::uint8_t size, const std::vector<EventId>& events,
                    std::vector<RecordedWait> waits) {
  if (reported_.contains({static_cast<int>(kind), place_of(position)})) return;
  if (has_late_parts_ && postpone({kind, message, t, slots_[t].node, position, address, size, events})) return;
  reported_.insert({static_cast<int>(kind), place_of(position)});
  add_idle_ends();
  bytecode::Violation violation;
  violation.kind = kind;
  violation.message = std::move(message);
  violation.thread = t;
  violation.position = position;
  violation.address = address;
  violation.size = size;
  violation.waits = std::move(waits);
  violation.path = path();
  std::vector<std::uint32_t> recorded;
  violation.execution = record(&recorded);
  for (const EventId e : events)
    if (e != no_event && recorded[e] != bytecode::initial_write) violation.events.push_back(recorded[e]);
  result_.violations.push_back(std::move(violation));
  if (!options_given_.keep_going) stop_ = true;
}

// Told once per place; the exploration goes on.
void Search::warn(ErrorKind kind, const std::string& message, ThreadId t, const Action& action,
                  const std::vector<EventId>& events) {
  if (!warned_.insert({static_cast<int>(kind), place_of(action.position)}).second) return;
  bytecode::Violation warning;
  warning.kind = kind;
  warning.message = message;
  warning.thread = t;
  warning.position = action.position;
  warning.address = action.address;
  warning.size = action.size;
  warning.path = path();
  std::vector<std::uint32_t> recorded;
  warning.execution = record(&recorded);
  for (const EventId e : events) warning.events.push_back(recorded[e]);
  result_.warnings.push_back(std::move(warning));
}

void Search::report_leaks() {
  for (const auto& objects : objects_.by_thread()) {
    for (const MemoryObject& object : objects) {
      if (object.kind != machine::ObjectKind::heap || object.released != no_event) continue;
      const Action& action = action_of(object.allocated);
      if (!warned_.insert({static_cast<int>(ErrorKind::memory_leak), place_of(action.position)}).second) continue;
      bytecode::Violation leak;
      leak.kind = ErrorKind::memory_leak;
      leak.message = "memory allocated here is never freed in some execution";
      leak.thread = graph_[object.allocated].thread;
      leak.position = action.position;
      leak.address = object.address;
      leak.path = path();
      result_.warnings.push_back(std::move(leak));
    }
  }
}

std::vector<std::uint32_t> Search::path() const {
  std::vector<std::uint32_t> numbers;  // see read_path
  numbers.push_back(static_cast<std::uint32_t>(creators_.size() - 1));
  numbers.insert(numbers.end(), creators_.begin() + 1, creators_.end());
  for (const Choice& choice : choices_) numbers.push_back(choice.next - 1);
  return numbers;
}

std::vector<EventId> Search::events_by_stamp() const {
  std::vector<EventId> events;
  for (ThreadId t = 0; t < graph_.thread_count(); ++t)
    events.insert(events.end(), graph_.events_of(t).begin(), graph_.events_of(t).end());
  std::sort(events.begin(), events.end(), [this](EventId a, EventId b) { return graph_[a].stamp < graph_[b].stamp; });
  return events;
}

namespace {

RecordedKind recorded_kind(EventKind kind, const Action& action) {
  switch (action.kind) {
    case ActionKind::meet: return RecordedKind::meet;
    case ActionKind::arrive: return RecordedKind::arrive;
    case ActionKind::leave: return RecordedKind::leave;
    case ActionKind::pass: return RecordedKind::pass;
    default: break;
  }
  switch (kind) {
    case EventKind::read: return RecordedKind::read;
    case EventKind::initial:
    case EventKind::write: return RecordedKind::write;
    case EventKind::fence: return RecordedKind::fence;
    case EventKind::create: return RecordedKind::create;
    case EventKind::begin: return RecordedKind::begin;
    case EventKind::finish: return RecordedKind::finish;
    case EventKind::join: return RecordedKind::join;
    case EventKind::allocate: return RecordedKind::allocate;
    case EventKind::release: return RecordedKind::release;
    case EventKind::choice: return RecordedKind::choice;
    case EventKind::other: break;
  }
  return RecordedKind::other;
}

}  // namespace

RecordedExecution Search::record(std::vector<std::uint32_t>* position_of_event) const {
  RecordedExecution execution;
  const std::vector<EventId> events = events_by_stamp();
  std::vector<std::uint32_t> position(graph_.event_capacity(), bytecode::initial_write);
  for (std::uint32_t i = 0; i < events.size(); ++i) position[events[i]] = i;

  std::vector<std::uint32_t> object_of_event(graph_.event_capacity(), 0);
  for (ThreadId t = 0; t < objects_.by_thread().size(); ++t) {
    for (const MemoryObject& object : objects_.by_thread()[t]) {
      bytecode::RecordedObject recorded;
      recorded.address = object.address;
      recorded.size = object.size;
      recorded.kind = object.kind;
      recorded.thread = t;
      recorded.info = action_of(object.allocated).object_info;
      recorded.allocated = action_of(object.allocated).position;
      object_of_event[object.allocated] = static_cast<std::uint32_t>(execution.objects.size());
      if (object.released != no_event) {
        recorded.released = action_of(object.released).position;
        object_of_event[object.released] = static_cast<std::uint32_t>(execution.objects.size());
      }
      execution.objects.push_back(recorded);
    }
  }
  for (ThreadId t = 0; t < slots_.size(); ++t) {
    bytecode::RecordedThread thread;
    thread.id = t;
    thread.function = thread_function_[t];
    if (slots_[t].created_by != no_event) {
      thread.creator = graph_[slots_[t].created_by].thread;
      thread.created = action_of(slots_[t].created_by).position;
    }
    execution.threads.push_back(thread);
  }
  for (const EventId e : events) {
    const Event& event = graph_[e];
    const Action& action = action_of(e);
    RecordedEvent recorded;
    recorded.thread = event.thread;
    recorded.index = event.index;
    recorded.kind = recorded_kind(event.kind, action);
    if (event.kind == EventKind::join && event.partner != no_event) recorded.after = position[event.partner];
    if (recorded.kind >= RecordedKind::meet && recorded.kind <= RecordedKind::pass) recorded.address = action.address;
    if (event.kind != EventKind::begin) recorded.position = action.position;
    recorded.value = event.value;
    recorded.other_thread = event.kind == EventKind::create ? static_cast<ThreadId>(event.value.low) : action.target;
    if (event.kind == EventKind::fence) recorded.order = action.order;
    if (event.kind == EventKind::allocate || event.kind == EventKind::release) recorded.object = object_of_event[e];
    if (event.kind == EventKind::read || event.kind == EventKind::write) {
      recorded.access = action.access;
      const bool failed = event.kind == EventKind::read && bytecode::may_fail(action.access) &&
                          (event.labels & graph::label_rmw_read) == 0;
      recorded.order = failed ? action.failure_order : action.order;
      recorded.exclusive = action.exclusive;
      recorded.size = action.size;
      recorded.address = action.address;
    }
    if (event.kind == EventKind::read && event.reads_from != no_event) recorded.reads_from = position[event.reads_from];
    if (event.kind == EventKind::write)
      for (EventId w = event.previous_write; w != no_event; w = graph_[w].previous_write) ++recorded.coherence_rank;
    execution.events.push_back(recorded);
  }
  if (position_of_event != nullptr) *position_of_event = std::move(position);
  return execution;
}

// Two executions are the same if they have the same events, reads-from and coherence. The whole description is kept:
// a test must not depend on a hash.
void Search::note_duplicate() {
  std::string key;
  const auto put = [&key](std::uint64_t number) { key.append(reinterpret_cast<const char*>(&number), sizeof number); };
  for (ThreadId t = 0; t < graph_.thread_count(); ++t) {
    put(~std::uint64_t{0});
    for (const EventId e : graph_.events_of(t)) {
      const Event& event = graph_[e];
      put(static_cast<std::uint64_t>(event.kind));
      put(event.location);
      put(event.value.low);
      put(event.value.high);
      const EventId related = event.kind == EventKind::read ? event.reads_from : event.previous_write;
      if (related == no_event) continue;
      put(graph_[related].thread);
      put(graph_[related].index);
    }
  }
  if (!seen_graphs_.insert(std::move(key)).second) ++result_.duplicates;
}

}  // namespace heddle::explore
