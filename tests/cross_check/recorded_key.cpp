// See canonical_key.h: the keys of what the tool recorded.
#include <algorithm>

#include "canonical_key.h"
#include "key_record.h"
#include "to_bytecode.h"

namespace heddle::cross_check {

namespace {

// Brings what the tool recorded into the common form; `problems` collects what has no place in it.
class RecordedReader {
 public:
  RecordedReader(const LitmusProgram& program, const bytecode::RecordedExecution& execution)
      : program_(program), execution_(execution), places_(execution.events.size()) {
    writes_.resize(static_cast<std::size_t>(count_memory(program)));
    record_.threads.resize(program.threads.size());
    number_objects();
  }

  KeyRecord read() {
    number_events();
    for (std::size_t i = 0; i < execution_.events.size(); i++) {
      if (places_[i].thread >= 0) add_event(i);
    }
    for (std::size_t location = 0; location < writes_.size(); location++) add_coherence(location);
    return record_;
  }
  const std::string& problems() const { return problems_; }

 private:
  // The k-th object of a thread; where objects lie grows with the order of allocation.
  void number_objects() {
    std::vector<bytecode::RecordedObject> objects = execution_.objects;
    std::sort(objects.begin(), objects.end(), [](const auto& a, const auto& b) { return a.address < b.address; });
    std::vector<int> counts(program_.threads.size(), 0);
    for (const bytecode::RecordedObject& object : objects) {
      const int thread = thread_of(object.thread);
      if (object.kind != bytecode::ObjectKind::heap || thread < 0) continue;
      const int number = first_object(program_, thread) + counts[thread]++;
      if (number >= first_object(program_, thread + 1)) problems_ += " !more objects than the thread allocates";
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
    std::vector<int> counts(program_.threads.size(), 0);
    std::vector<std::uint32_t> last(program_.threads.size(), 0);
    for (std::size_t i = 0; i < execution_.events.size(); i++) {
      const bytecode::RecordedEvent& event = execution_.events[i];
      if (!is_counted(event)) continue;
      const int thread = thread_of(event.thread);
      if (thread < 0) {
        problems_ += " !an event of thread " + std::to_string(event.thread);
        continue;
      }
      if (counts[thread] > 0 && event.index <= last[thread]) problems_ += " !events out of program order";
      last[thread] = event.index;
      places_[i] = Place{thread, counts[thread]++};
    }
  }

  void add_event(std::size_t i) {
    const bytecode::RecordedEvent& event = execution_.events[i];
    std::vector<KeyEvent>& thread = record_.threads[places_[i].thread];
    KeyEvent key;
    key.order = event.order;
    if (event.kind == bytecode::RecordedKind::fence || event.kind == bytecode::RecordedKind::choice) {
      key.kind = event.kind == bytecode::RecordedKind::fence ? 'F' : 'C';
      key.value = static_cast<long>(event.value.low);
      thread.push_back(key);
      return;
    }
    key.kind = event.kind == bytecode::RecordedKind::read ? 'R' : 'W';
    const int location = location_at(event.address);
    if (location < 0) {
      problems_ += " !unknown address " + std::to_string(event.address);
      return;
    }
    key.location = name_of_memory(program_, location);
    key.value = number_of(event.value.low);
    key.is_mutex = is_mutex(program_, location);
    // How the tool marks a held mutex is its own business.
    if (key.is_mutex) key.value = (event.value.low & 0xff) != 0;
    if (key.kind == 'R') key.source = source_of(event);
    if (key.kind == 'W') writes_[location].push_back(i);
    thread.push_back(key);
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
      problems_ += " !a read without a source";
      return {};
    }
    if (*event.reads_from == bytecode::initial_write) return {};
    if (*event.reads_from >= places_.size() || places_[*event.reads_from].thread < 0) {
      problems_ += " !a read from something that is no write of a thread";
      return {};
    }
    return places_[*event.reads_from];
  }

  void add_coherence(std::size_t location) {
    std::vector<std::size_t>& writes = writes_[location];
    const auto rank = [&](std::size_t i) { return execution_.events[i].coherence_rank; };
    std::stable_sort(writes.begin(), writes.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    std::vector<Place> places;
    for (std::size_t i = 0; i < writes.size(); i++) {
      if (rank(writes[i]) != i + 1) problems_ += " !coherence ranks are not 1, 2, ...";
      places.push_back(places_[writes[i]]);
    }
    record_.coherence.emplace_back(name_of_memory(program_, static_cast<int>(location)), places);
  }

  int location_at(bytecode::Address address) const {
    for (int i = 0; i < first_object(program_, 0); i++) {
      const std::uint64_t size = is_mutex(program_, i) ? mutex_size : size_of_location(program_);
      if (address >= address_of_location(i) && address < address_of_location(i) + size) return i;
    }
    for (const auto& [begin, number] : objects_) {
      if (address == begin) return number;
    }
    return -1;
  }

  const LitmusProgram& program_;
  const bytecode::RecordedExecution& execution_;
  std::vector<Place> places_;                     // per recorded event
  std::vector<std::pair<bytecode::Address, int>> objects_;  // of the heap, with their numbers as memory
  std::vector<std::vector<std::size_t>> writes_;  // per location: recorded events
  KeyRecord record_;
  std::string problems_;
};

}  // namespace

std::string canonical_key(const LitmusProgram& program, const bytecode::RecordedExecution& execution) {
  RecordedReader reader(program, execution);
  const KeyRecord record = reader.read();
  return print_events(record) + print_coherence(record) + reader.problems();
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
