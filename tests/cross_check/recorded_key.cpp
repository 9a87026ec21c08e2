// See canonical_key.h: the keys of what the tool recorded.
#include <algorithm>

#include "canonical_key.h"
#include "key_record.h"
#include "to_bytecode.h"

namespace heddle::cross_check {

namespace {

// Brings what the tool recorded into the common form; what has no place in it becomes a problem.
class RecordedReader {
 public:
  RecordedReader(const LitmusProgram& program, const bytecode::RecordedExecution& execution)
      : program_(program),
        execution_(execution),
        writer_(program),
        places_(execution.events.size()),
        threads_(program.threads.size()),
        writes_(static_cast<std::size_t>(count_memory(program))) {
    number_objects();
  }

  std::string read() {
    number_events();
    for (const std::vector<std::uint32_t>& events : threads_) {
      writer_.begin_thread();
      for (const std::uint32_t i : events) add_event(i);
    }
    writer_.end_events();
    for (std::vector<std::uint32_t>& writes : writes_) add_coherence(writes);
    return writer_.finish();
  }

 private:
  // The k-th object of a thread; where objects lie grows with the order of allocation.
  void number_objects() {
    if (execution_.objects.empty()) return;
    std::vector<bytecode::RecordedObject> objects = execution_.objects;
    std::sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    std::vector<int> counts(program_.threads.size(), 0);
    for (const bytecode::RecordedObject& object : objects) {
      const int thread = thread_of(object.thread);
      if (object.kind != bytecode::ObjectKind::heap || thread < 0) continue;
      const int number = first_object(program_, thread) + counts[thread]++;
      if (number >= first_object(program_, thread + 1)) writer_.add_problem(" more objects than the thread allocates");
      objects_.emplace_back(object.address, number);
    }
  }

  // Which thread of the program a recorded thread runs; -1: main, or none.
  int thread_of(std::uint32_t recorded) const {
    const int thread =
        recorded < execution_.threads.size() ? static_cast<int>(execution_.threads[recorded].function) - 1 : -1;
    return thread < static_cast<int>(program_.threads.size()) ? thread : -1;
  }

  bool is_counted(const bytecode::RecordedEvent& event) const {
    using bytecode::RecordedKind;
    switch (event.kind) {
      case RecordedKind::read:
      case RecordedKind::write: return !is_barrier(event.address);
      case RecordedKind::fence:
      case RecordedKind::choice: return true;
      default: return false;
    }
  }

  bool is_barrier(bytecode::Address address) const {
    const int count = static_cast<int>(program_.barriers.size());
    for (int i = 0; i < count; i++) {
      const bytecode::Address begin = address_of_barrier(program_, i);
      if (address >= begin && address < begin + barrier_size) return true;
    }
    return false;
  }

  // `events` respects program order, so counting gives each event its position among the counted ones.
  void number_events() {
    for (std::uint32_t i = 0; i < execution_.events.size(); i++) {
      const bytecode::RecordedEvent& event = execution_.events[i];
      if (!is_counted(event)) continue;
      const int thread = thread_of(event.thread);
      if (thread < 0) {
        writer_.add_problem(" an event of thread " + std::to_string(event.thread));
        continue;
      }
      std::vector<std::uint32_t>& events = threads_[thread];
      const bool is_late = !events.empty() && event.index <= execution_.events[events.back()].index;
      if (is_late) writer_.add_problem(" events out of program order");
      places_[i] = Place{thread, static_cast<int>(events.size())};
      events.push_back(i);
    }
  }

  void add_event(std::uint32_t i) {
    const bytecode::RecordedEvent& event = execution_.events[i];
    KeyEvent key;
    key.order = event.order;
    if (event.kind == bytecode::RecordedKind::fence || event.kind == bytecode::RecordedKind::choice) {
      key.kind = event.kind == bytecode::RecordedKind::fence ? 'F' : 'C';
      key.value = static_cast<long>(event.value.low);
      writer_.add(key);
      return;
    }
    key.kind = event.kind == bytecode::RecordedKind::read ? 'R' : 'W';
    key.location = location_at(event.address);
    if (key.location < 0) {
      writer_.add_problem(" unknown address " + std::to_string(event.address));
      return;
    }
    // How the tool marks a held mutex is its own business.
    key.value = is_mutex(program_, key.location) ? (event.value.low & 0xff) != 0 : number_of(event.value.low);
    if (key.kind == 'R') key.source = source_of(event);
    if (key.kind == 'W') writes_[key.location].push_back(i);
    writer_.add(key);
  }

  // A value as the reference knows it: pointers have other numbers there.
  long number_of(std::uint64_t value) const {
    for (const auto& [address, number] : objects_) {
      if (value >= address && value < address + pointer_distance) {
        return pointer_to(number) + static_cast<long>(value - address);
      }
    }
    return static_cast<long>(value);
  }

  Place source_of(const bytecode::RecordedEvent& event) {
    if (!event.reads_from) {
      writer_.add_problem(" a read without a source");
      return {};
    }
    if (*event.reads_from == bytecode::initial_write) return {};
    if (*event.reads_from >= places_.size() || places_[*event.reads_from].thread < 0) {
      writer_.add_problem(" a read from something that is no write of a thread");
      return {};
    }
    return places_[*event.reads_from];
  }

  void add_coherence(std::vector<std::uint32_t>& writes) {
    const auto rank = [&](std::uint32_t i) { return execution_.events[i].coherence_rank; };
    std::stable_sort(writes.begin(), writes.end(), [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
    writer_.begin_location();
    for (std::size_t i = 0; i < writes.size(); i++) {
      if (rank(writes[i]) != i + 1) writer_.add_problem(" coherence ranks are not 1, 2, ...");
      writer_.add(places_[writes[i]]);
    }
  }

  int location_at(bytecode::Address address) const {
    const int count = first_object(program_, 0);
    for (int i = 0; i < count; i++) {
      const std::uint64_t size = is_mutex(program_, i) ? mutex_size : size_of_location(program_);
      const bytecode::Address begin = address_of_location(program_, i);
      if (address >= begin && address < begin + size) return i;
    }
    for (const auto& [begin, number] : objects_) {
      if (address == begin) return number;
    }
    return -1;
  }

  const LitmusProgram& program_;
  const bytecode::RecordedExecution& execution_;
  KeyWriter writer_;
  std::vector<Place> places_;                          // per recorded event
  std::vector<std::vector<std::uint32_t>> threads_;    // per thread: recorded events that count
  std::vector<std::vector<std::uint32_t>> writes_;     // per location: likewise
  std::vector<std::pair<bytecode::Address, int>> objects_;  // of the heap, with their numbers as memory
};

}  // namespace

std::string canonical_key(const LitmusProgram& program, const bytecode::RecordedExecution& execution) {
  return RecordedReader(program, execution).read();
}

std::string full_key(const bytecode::RecordedExecution& execution) {
  const auto name = [&](std::size_t i) {
    return std::to_string(execution.events[i].thread) + "." + std::to_string(execution.events[i].index);
  };
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < execution.events.size(); i++) {
    const bytecode::RecordedEvent& event = execution.events[i];
    std::string line = name(i) + " " + std::to_string(static_cast<int>(event.kind)) + " " +
                       std::to_string(event.address) + "=" + std::to_string(event.value.low) + " " +
                       std::to_string(event.coherence_rank) + " " + std::to_string(event.other_thread);
    if (event.reads_from) {
      line += *event.reads_from == bytecode::initial_write ? " <- initial" : " <- " + name(*event.reads_from);
    }
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());  // the order in which events were added is no part of the execution
  std::string key;
  for (const std::string& line : lines) key += line + "\n";
  return key;
}

}  // namespace heddle::cross_check
