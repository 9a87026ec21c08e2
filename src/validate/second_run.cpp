// See second_run.h. The form of the record comes first, so that the rest may rely on its indices.
#include "validate/second_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "bytecode/conventions.h"
#include "validate/describe.h"

namespace heddle::validate {

using bytecode::AccessKind;
using bytecode::Address;
using bytecode::initial_write;
using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

bool is_access(const RecordedEvent& event) {
  return event.kind == RecordedKind::read || event.kind == RecordedKind::write;
}

}  // namespace

SecondRun::SecondRun(const bytecode::Program& program, const bytecode::Violation& claim, const RunSettings& settings)
    : program_(program), claim_(claim), execution_(claim.execution), settings_(settings) {}

void SecondRun::refuse(std::uint32_t e, const std::string& what) const {
  throw Refusal{fmt::format("event {} ({} of thread {}): {}", e, event(e).index, event(e).thread, what)};
}

void SecondRun::run() {
  check_form();
  check_coherence();
  for (bool progress = true; progress;) {
    progress = false;
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      while (advance(t)) progress = true;
  }
  for (std::uint32_t e = 0; e < execution_.events.size(); ++e)
    if (!seen_[e].happened) refuse(e, "it never happens: what it needs depends on it");
  check_updates();
  check_memory();
  check_threads();
}

// Indices and fields of kinds that have them. Values, positions and the like are the run's business.
void SecondRun::check_form() {
  const std::size_t count = execution_.events.size();
  seen_.resize(count);
  threads_.resize(execution_.threads.size());
  if (threads_.empty()) throw Refusal{"the record has no threads"};
  for (std::uint32_t t = 0; t < threads_.size(); ++t)
    if (execution_.threads[t].id != t) throw Refusal{fmt::format("thread {} has the id of another", t)};
  for (std::uint32_t e = 0; e < count; ++e) {
    const RecordedEvent& event = execution_.events[e];
    if (event.thread >= threads_.size()) throw Refusal{fmt::format("event {} is of no thread", e)};
    if (event.index != threads_[event.thread].events.size()) refuse(e, "it is out of program order");
    threads_[event.thread].events.push_back(e);
    if (event.reads_from.has_value() != (event.kind == RecordedKind::read))
      refuse(e, "reads, and only they, read from something");
    if (event.kind == RecordedKind::read && *event.reads_from != initial_write) {
      if (*event.reads_from >= count) refuse(e, "it reads from an event that does not exist");
      const RecordedEvent& source = execution_.events[*event.reads_from];
      if (source.kind != RecordedKind::write || source.address != event.address || source.size != event.size)
        refuse(e, "it reads from something else than a write of its location");
    }
    if (is_access(event) && (event.size == 0 || event.size > 16)) refuse(e, "an access has 1 to 16 bytes");
    if (event.kind != RecordedKind::write && event.coherence_rank != 0)
      refuse(e, "only writes have a place in coherence");
  }
}

// Per location the writes have the places 1, 2, ...; two locations never share bytes.
void SecondRun::check_coherence() {
  std::map<std::pair<Address, unsigned>, std::uint32_t> locations;  // with one of its events
  for (std::uint32_t e = 0; e < execution_.events.size(); ++e) {
    const RecordedEvent& event = execution_.events[e];
    if (!is_access(event)) continue;
    locations.emplace(std::pair{event.address, event.size}, e);
    if (event.kind == RecordedKind::write) writes_[{event.address, event.size}].push_back(e);
  }
  Address end = 0;
  for (const auto& [location, e] : locations) {
    if (location.first < end) refuse(e, "it overlaps an access of another size");
    end = location.first + location.second;
  }
  for (auto& [location, writes] : writes_) {
    std::sort(writes.begin(), writes.end(),
              [&](std::uint32_t a, std::uint32_t b) { return event(a).coherence_rank < event(b).coherence_rank; });
    for (std::uint32_t i = 0; i < writes.size(); ++i)
      if (event(writes[i]).coherence_rank != i + 1) refuse(writes[i], "coherence does not order the writes");
  }
}

const std::vector<std::uint32_t>& SecondRun::writes_of(Address address, unsigned size) const {
  static const std::vector<std::uint32_t> none;
  const auto found = writes_.find({address, size});
  return found == writes_.end() ? none : found->second;
}

Value SecondRun::initial_value(Address address, unsigned size) const {
  Value value;
  return initial_contents(program_, address, size, value) ? value : Value{};
}

unsigned SecondRun::next_element(std::uint32_t thread, Address one, Address other, bool ends) {
  const SeenThread& state = threads_[thread];
  const auto fits = [&](Address address, unsigned size) {
    const Address edge = ends ? address + size : address;
    return edge == one || edge == other;
  };
  if (state.next < state.events.size()) {
    const RecordedEvent& event = execution_.events[state.events[state.next]];
    return is_access(event) && fits(event.address, event.size) ? event.size : 0;
  }
  return claim_.thread == thread && claim_.size != 0 && fits(claim_.address, claim_.size) ? claim_.size : 0;
}

// From the record: that it is right is checked when the object is allocated.
std::uint64_t SecondRun::object_size(Address address) {
  for (const bytecode::RecordedObject& object : execution_.objects)
    if (object.address == address) return object.size;
  return 0;
}

// The thread's next recorded event happens, if what it needs has happened. False if it has to wait, or has no more.
bool SecondRun::advance(std::uint32_t t) {
  SeenThread& thread = threads_[t];
  if (thread.next == thread.events.size()) return false;
  const std::uint32_t e = thread.events[thread.next];
  if (!thread.run) return begin(t, e);
  if (thread.finished_by != no_index) refuse(e, "its thread has finished before");
  const Step& step = thread.run->step();
  if (step.kind == Step::Kind::beyond) throw TooLong{step.text};
  RecordedEvent expected;
  expected.thread = t;
  expected.index = static_cast<std::uint32_t>(thread.next);
  expected.position = step.position;
  Value answer;
  if (!happens(t, e, step, expected, answer)) return false;
  if (const std::string difference = describe_difference(expected, execution_.events[e]); !difference.empty())
    refuse(e, difference);
  seen_[e].happened = true;
  seen_[e].value = expected.value;
  seen_[e].of_block = step.of_block;
  ++thread.next;
  if (step.kind == Step::Kind::finish)
    thread.finished_by = e;
  else
    thread.run->answer(answer);
  return true;
}

bool SecondRun::begin(std::uint32_t t, std::uint32_t e) {
  SeenThread& thread = threads_[t];
  if (t == 0) {
    thread.function = program_.entry;
  } else if (thread.created_by == no_index) {
    return false;
  }
  RecordedEvent expected;
  expected.thread = t;
  expected.kind = RecordedKind::begin;
  if (const std::string difference = describe_difference(expected, execution_.events[e]); !difference.empty())
    refuse(e, difference);
  thread.run =
      std::make_unique<ThreadRun>(program_, settings_, *this, t, thread.function, thread.argument, thread.c11_thread);
  seen_[e].happened = true;
  seen_[e].created_by = thread.created_by;
  ++thread.next;
  return true;
}

// Fills in what the record must say if this step is the event. False if the thread has to wait.
bool SecondRun::happens(std::uint32_t t, std::uint32_t e, const Step& step, RecordedEvent& expected, Value& answer) {
  switch (step.kind) {
    case Step::Kind::read: return read(e, step, expected, answer);
    case Step::Kind::write:
      expected.kind = RecordedKind::write;
      expected.access = step.access;
      expected.order = step.order;
      expected.exclusive = step.exclusive;
      expected.size = static_cast<std::uint8_t>(step.size);
      expected.address = step.address;
      expected.value = step.value;
      break;
    case Step::Kind::fence:
      expected.kind = RecordedKind::fence;
      expected.order = step.order;
      break;
    case Step::Kind::allocate:
      expected.kind = RecordedKind::allocate;
      if (event(e).kind == expected.kind) {
        allocate(t, e, step);
        expected.object = event(e).object;
      }
      break;
    case Step::Kind::release:
      expected.kind = RecordedKind::release;
      if (event(e).kind == expected.kind) {
        if (const auto object = objects_.find(step.address); object == objects_.end()) return false;  // not yet there
        release(e, step);
        expected.object = event(e).object;
      }
      break;
    case Step::Kind::create:
      expected.kind = RecordedKind::create;
      if (event(e).kind == expected.kind) create(t, e, step, expected);
      answer = expected.value;
      break;
    case Step::Kind::finish:
      expected.kind = RecordedKind::finish;
      expected.value = step.value;
      break;
    case Step::Kind::join: {
      expected.kind = RecordedKind::join;
      expected.other_thread = step.target;
      if (step.target >= threads_.size() || step.target == t) refuse(e, "it joins a thread that cannot be joined");
      SeenThread& target = threads_[step.target];
      if (target.finished_by == no_index) return false;
      if (target.joined_by != no_index) refuse(e, "it joins a thread that was joined before");
      target.joined_by = e;
      seen_[e].joined = target.finished_by;
      expected.after = target.finished_by;
      answer = expected.value = seen_[target.finished_by].value;
      break;
    }
    case Step::Kind::meet:
    case Step::Kind::arrive:
    case Step::Kind::leave:
    case Step::Kind::pass: return wait_at_barrier(e, step, expected);
    case Step::Kind::detach:
      expected.kind = RecordedKind::other;
      expected.value.low = expected.other_thread = step.target;
      if (step.target >= threads_.size()) refuse(e, "it detaches a thread that does not exist");
      if (threads_[step.target].detached_by != no_index) refuse(e, "it detaches a thread that is detached already");
      threads_[step.target].detached_by = e;
      break;
    case Step::Kind::choose: {
      expected.kind = RecordedKind::choice;
      const auto chosen = static_cast<std::int64_t>(event(e).value.low);
      if (chosen < step.low || chosen > step.high) refuse(e, "the value is none of the choice");
      answer = expected.value = {event(e).value.low, 0};
      break;
    }
    case Step::Kind::print: expected.kind = RecordedKind::other; break;
    case Step::Kind::loop: refuse(e, "its thread stops at a loop");
    case Step::Kind::blocked: refuse(e, "its thread is blocked before, at an assumption");
    case Step::Kind::bounded: refuse(e, "its thread is cut off before, by a loop bound");
    case Step::Kind::error: refuse(e, "its thread meets an error before: " + describe_step(step));
    case Step::Kind::beyond: throw TooLong{step.text};
  }
  return true;
}

bool SecondRun::read(std::uint32_t e, const Step& step, RecordedEvent& expected, Value& answer) {
  expected.kind = RecordedKind::read;
  expected.access = step.access;
  expected.order = step.order;
  expected.exclusive = step.exclusive;
  expected.size = static_cast<std::uint8_t>(step.size);
  expected.address = step.address;
  // A record of something else will be refused for that; its source means nothing.
  const RecordedEvent& recorded = event(e);
  if (recorded.kind != RecordedKind::read || recorded.address != step.address || recorded.size != step.size)
    return true;
  expected.reads_from = recorded.reads_from;
  if (*recorded.reads_from == initial_write) {
    answer = initial_value(step.address, step.size);
  } else {
    if (!seen_[*recorded.reads_from].happened) return false;
    answer = seen_[*recorded.reads_from].value;
  }
  expected.value = answer;
  bool& updates = seen_[e].goes_on_to_write;
  switch (step.access) {
    case AccessKind::compare_exchange:
      updates = answer == step.expected;
      if (!updates) expected.order = step.order_of_failure;
      break;
    case AccessKind::add_between: {
      const auto old = static_cast<std::int64_t>(answer.low & 0xffffffff);
      updates = step.low <= old && old <= step.high;
      if (!updates) expected.order = step.order_of_failure;
      break;
    }
    case AccessKind::lock:
      if ((answer.low & bytecode::mutex_held_mask) != 0) refuse(e, "it takes a mutex that is held");
      updates = (answer.low & bytecode::mutex_destroyed) == 0;
      break;
    case AccessKind::trylock:
      updates = (answer.low & (bytecode::mutex_held_mask | bytecode::mutex_destroyed)) == 0;
      break;
    case AccessKind::barrier_arrive:
      updates = (answer.low & bytecode::barrier_ready) != 0 && (answer.low & ~bytecode::barrier_ready) >> 32 != 0;
      break;
    case AccessKind::barrier_leave:
      if ((answer.low & 0xffffffff) != step.awaited_arrivals) refuse(e, "it leaves a barrier that is not complete");
      break;
    default: updates = step.exclusive; break;
  }
  return true;
}

// A meet follows an arrival of its round or begins a new one; a leave follows the last arrival or a pass. Nothing is
// followed twice.
bool SecondRun::wait_at_barrier(std::uint32_t e, const Step& step, RecordedEvent& expected) {
  const RecordedEvent& recorded = event(e);
  expected.address = step.address;
  switch (step.kind) {
    case Step::Kind::meet: expected.kind = RecordedKind::meet; break;
    case Step::Kind::arrive: expected.kind = RecordedKind::arrive; break;
    case Step::Kind::leave: expected.kind = RecordedKind::leave; break;
    default: expected.kind = RecordedKind::pass; break;
  }
  const bool follows = step.kind == Step::Kind::meet || step.kind == Step::Kind::leave;
  if (!follows || recorded.kind != expected.kind) return true;
  expected.after = recorded.after;
  if (!recorded.after) {
    if (step.kind == Step::Kind::leave) refuse(e, "it leaves a barrier without having arrived");
    return true;
  }
  if (*recorded.after >= seen_.size()) refuse(e, "it follows an event that does not exist");
  if (!seen_[*recorded.after].happened) return false;
  const RecordedEvent& before = event(*recorded.after);
  if (before.address != step.address || (before.kind != RecordedKind::arrive && before.kind != RecordedKind::pass))
    refuse(e, "it follows something else than an arrival or pass of its barrier");
  if (!followed_.insert(*recorded.after).second) refuse(e, "it follows what another one follows");
  seen_[e].joined = *recorded.after;
  std::uint64_t arrivals = 0;
  bool own = false;
  for (std::uint32_t x = *recorded.after; x != no_index;) {
    if (event(x).kind == RecordedKind::arrive) ++arrivals;
    own = own || (event(x).kind == RecordedKind::arrive && event(x).thread == recorded.thread);
    x = seen_[threads_[event(x).thread].events[event(x).index - 1]].joined;
  }
  if (step.kind == Step::Kind::meet && (arrivals >= step.value.low || before.kind == RecordedKind::pass))
    refuse(e, "it joins a round that is complete");
  if (step.kind == Step::Kind::leave && (arrivals != step.value.low || !own))
    refuse(e, "it leaves a barrier that is not complete");
  return true;
}

std::uint64_t SecondRun::arrivals_with(std::uint32_t arrival) const {
  // A round's arrivals follow each other, and every meet stands right before its arrival.
  const auto meet_of = [&](std::uint32_t e) { return threads_[event(e).thread].events[event(e).index - 1]; };
  std::uint64_t count = 1;
  for (std::uint32_t e = seen_[meet_of(arrival)].joined; e != no_index; e = seen_[meet_of(e)].joined) ++count;
  for (std::uint32_t e = arrival, last = no_index; e != last;) {
    last = e;
    for (std::uint32_t other = 0; other < seen_.size(); ++other) {
      if (event(other).kind != RecordedKind::arrive || seen_[meet_of(other)].joined != e) continue;
      e = other;
      ++count;
      break;
    }
  }
  return count;
}

void SecondRun::create(std::uint32_t t, std::uint32_t e, const Step& step, RecordedEvent& expected) {
  const RecordedEvent& recorded = event(e);
  const std::uint32_t child = recorded.other_thread;
  if (child == 0 || child >= threads_.size()) refuse(e, "it creates a thread that does not exist");
  const bytecode::RecordedThread& thread = execution_.threads[child];
  if (threads_[child].created_by != no_index) refuse(e, "it creates a thread that was created before");
  if (thread.creator != t || !(thread.created == step.position) || thread.function != step.function)
    refuse(e, "the created thread is recorded with another creator, place or function");
  threads_[child].created_by = e;
  threads_[child].function = step.function;
  threads_[child].argument = step.value.low;
  threads_[child].c11_thread = step.c11_thread;
  expected.other_thread = child;
  expected.value = {child, 0};
}

void SecondRun::allocate(std::uint32_t t, std::uint32_t e, const Step& step) {
  const std::uint32_t index = event(e).object;
  if (index >= execution_.objects.size()) refuse(e, "it makes an object that is not recorded");
  const bytecode::RecordedObject& object = execution_.objects[index];
  if (object.address != step.address || object.size != step.object_size || object.kind != step.object ||
      object.thread != t || object.info != step.object_info || !(object.allocated == step.position))
    refuse(e, fmt::format("it makes an object of {} bytes at {:#x}, which is recorded otherwise", step.object_size,
                          step.address));
  SeenObject seen;
  seen.size = step.object_size;
  seen.kind = step.object;
  seen.zeroed = step.zeroed;
  seen.allocated = e;
  if (!objects_.emplace(step.address, seen).second) refuse(e, "it makes an object where there is one");
}

void SecondRun::release(std::uint32_t e, const Step& step) {
  SeenObject& object = objects_.find(step.address)->second;
  if (object.kind != step.object) refuse(e, "it releases an object of another kind");
  if (object.released != no_index) refuse(e, "it releases an object that was released before");
  if (event(e).object != event(object.allocated).object) refuse(e, "it releases another object than the recorded one");
  const auto& released = execution_.objects[event(e).object].released;
  if (!released || !(*released == step.position)) refuse(e, "the object is recorded as released elsewhere");
  object.released = e;
}

// The write of an update comes right after what its read read from; no two updates read from the same write.
void SecondRun::check_updates() const {
  std::map<std::pair<std::pair<Address, unsigned>, std::uint32_t>, std::uint32_t> readers;  // by location and rank
  for (std::uint32_t e = 0; e < execution_.events.size(); ++e) {
    if (!seen_[e].goes_on_to_write) continue;
    const RecordedEvent& read = event(e);
    const std::vector<std::uint32_t>& events = threads_[read.thread].events;
    if (read.index + 1 == events.size()) continue;  // its write has not happened yet
    const std::uint32_t rank = *read.reads_from == initial_write ? 0 : event(*read.reads_from).coherence_rank;
    const auto [other, is_new] = readers.emplace(std::pair{std::pair{read.address, unsigned{read.size}}, rank}, e);
    if (!is_new) refuse(e, fmt::format("event {} updates the same write", other->second));
    if (event(events[read.index + 1]).coherence_rank != rank + 1)
      refuse(events[read.index + 1], "the update does not come right after what it read");
  }
}

const std::pair<const Address, SeenObject>* SecondRun::object_near(Address address) const {
  if (!bytecode::is_shared_object(address)) return nullptr;
  auto after = objects_.upper_bound(address);
  if (after == objects_.begin()) return nullptr;
  --after;
  return bytecode::owner_thread(after->first) == bytecode::owner_thread(address) ? &*after : nullptr;
}

bool SecondRun::is_thread_local(Address address, unsigned size) const {
  if (!bytecode::is_shared_object(address)) return false;
  const Address offset = address - bytecode::shared_base(bytecode::owner_thread(address));
  return std::any_of(program_.thread_locals.begin(), program_.thread_locals.end(), [&](const auto& local) {
    return local.shared && offset >= local.offset && offset + size <= local.offset + local.size;
  });
}

// Every access that happened lies in an object of the program.
void SecondRun::check_memory() const {
  for (std::uint32_t e = 0; e < execution_.events.size(); ++e) {
    const RecordedEvent& access = event(e);
    if (!is_access(access)) continue;
    bool inside = is_thread_local(access.address, access.size);
    if (const bytecode::Global* global = global_at(program_, access.address))
      inside = access.address + access.size <= global->address + global->size;
    if (const auto* object = object_near(access.address))
      inside = inside || access.address + access.size <= object->first + object->second.size;
    if (!inside) refuse(e, "it accesses no object of the program");
  }
  if (objects_.size() != execution_.objects.size()) throw Refusal{"an object is recorded that no event makes"};
  for (const auto& [address, object] : objects_)
    if (execution_.objects[event(object.allocated).object].released.has_value() != (object.released != no_index))
      refuse(object.allocated, "its object is recorded as released, but no event does it");
}

void SecondRun::check_threads() const {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    const SeenThread& thread = threads_[t];
    if (execution_.threads[t].creator.has_value() != (thread.created_by != no_index))
      throw Refusal{fmt::format("thread {} is recorded as created, but no event does it, or the other way round", t)};
    if (t == 0 && execution_.threads[0].function != program_.entry)
      throw Refusal{"the main thread is recorded with another function"};
    if (thread.detached_by != no_index && (!thread.exists(t) || thread.joined_by != no_index))
      refuse(thread.detached_by, "it detaches a thread that does not exist, or that is joined");
  }
}

}  // namespace heddle::validate
