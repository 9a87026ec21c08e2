// See canonical_key.h. Both sources are first brought into the same small record, then printed by the same code.
#include "canonical_key.h"

#include <algorithm>
#include <utility>

#include "to_bytecode.h"

namespace heddle::cross_check {

namespace {

struct Place {
  int thread = -1;  // -1: initial
  int index = 0;
};

struct KeyEvent {
  char kind = '?';  // R, W, F
  std::string location;
  long value = 0;
  MemoryOrder order = MemoryOrder::plain;
  Place source;  // of a read
};

struct KeyRecord {
  std::vector<std::vector<KeyEvent>> threads;
  std::vector<std::pair<std::string, std::vector<Place>>> coherence;  // per location, without the initial write
};

// A read has no use for the release part of its operation's order, a write none for the acquire part.
MemoryOrder effective_order(char kind, MemoryOrder order) {
  if (kind == 'R' && order == MemoryOrder::release) return MemoryOrder::relaxed;
  if (kind == 'R' && order == MemoryOrder::acquire_release) return MemoryOrder::acquire;
  if (kind == 'W' && order == MemoryOrder::acquire) return MemoryOrder::relaxed;
  if (kind == 'W' && order == MemoryOrder::acquire_release) return MemoryOrder::release;
  return order;
}

std::string print_place(const Place& place) {
  if (place.thread < 0) return "initial";
  return "T" + std::to_string(place.thread + 1) + "." + std::to_string(place.index);
}

std::string print_events(const KeyRecord& record) {
  std::string text;
  for (std::size_t thread = 0; thread < record.threads.size(); thread++) {
    text += (thread == 0 ? "T" : " | T") + std::to_string(thread + 1) + ":";
    for (std::size_t i = 0; i < record.threads[thread].size(); i++) {
      const KeyEvent& event = record.threads[thread][i];
      text += std::string(i == 0 ? " " : "; ") + event.kind;
      if (event.kind != 'F') text += " " + event.location + "=" + std::to_string(event.value);
      text += std::string(" ") + name_of(effective_order(event.kind, event.order));
      if (event.kind == 'R') text += " <- " + print_place(event.source);
    }
  }
  return text;
}

std::string print_coherence(const KeyRecord& record) {
  std::string text;
  for (const auto& [location, places] : record.coherence) {
    if (places.empty()) continue;
    text += " | co " + location + ":";
    for (const Place& place : places) text += " " + print_place(place);
  }
  return text;
}

std::string location_name(const LitmusProgram& program, int location) {
  const int count = static_cast<int>(program.locations.size());
  return location < count ? program.locations[location] : program.mutexes[location - count];
}

KeyRecord record_of(const LitmusProgram& program, const Candidate& candidate) {
  KeyRecord record;
  record.threads.resize(program.threads.size());
  const auto place_of = [&](int event) {
    return Place{candidate.events[event].thread, candidate.events[event].index};
  };
  for (std::size_t i = 0; i < candidate.events.size(); i++) {
    const CandidateEvent& event = candidate.events[i];
    if (event.thread < 0) continue;
    KeyEvent key;
    key.kind = event.kind == EventKind::read ? 'R' : event.kind == EventKind::write ? 'W' : 'F';
    if (event.kind != EventKind::fence) key.location = location_name(program, event.location);
    key.value = event.value;
    key.order = event.order;
    if (event.kind == EventKind::read) key.source = place_of(candidate.reads_from[i]);
    record.threads[event.thread].push_back(key);
  }
  for (std::size_t location = 0; location < candidate.coherence.size(); location++) {
    std::vector<Place> places;
    for (std::size_t i = 1; i < candidate.coherence[location].size(); i++) {
      places.push_back(place_of(candidate.coherence[location][i]));
    }
    record.coherence.emplace_back(location_name(program, static_cast<int>(location)), places);
  }
  return record;
}

bool is_counted(const bytecode::RecordedEvent& event) {
  using bytecode::RecordedKind;
  return event.thread != 0 && (event.kind == RecordedKind::read || event.kind == RecordedKind::write ||
                               event.kind == RecordedKind::fence);
}

// Brings what the tool recorded into the common form; `problems` collects what has no place in it.
class RecordedReader {
 public:
  RecordedReader(const LitmusProgram& program, const bytecode::RecordedExecution& execution)
      : program_(program), execution_(execution), places_(execution.events.size()) {
    const std::size_t locations = program.locations.size() + program.mutexes.size();
    writes_.resize(locations);
    record_.threads.resize(program.threads.size());
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
  // `events` respects program order, so counting gives each event its position among the counted ones.
  void number_events() {
    std::vector<int> counts(program_.threads.size(), 0);
    std::vector<std::uint32_t> last(program_.threads.size(), 0);
    for (std::size_t i = 0; i < execution_.events.size(); i++) {
      const bytecode::RecordedEvent& event = execution_.events[i];
      if (!is_counted(event)) continue;
      const std::size_t thread = event.thread - 1;
      if (thread >= counts.size()) {
        problems_ += " !unknown thread " + std::to_string(event.thread);
        continue;
      }
      if (counts[thread] > 0 && event.index <= last[thread]) problems_ += " !events out of program order";
      last[thread] = event.index;
      places_[i] = Place{static_cast<int>(thread), counts[thread]++};
    }
  }

  void add_event(std::size_t i) {
    const bytecode::RecordedEvent& event = execution_.events[i];
    KeyEvent key;
    key.order = event.order;
    if (event.kind == bytecode::RecordedKind::fence) {
      key.kind = 'F';
      record_.threads[places_[i].thread].push_back(key);
      return;
    }
    key.kind = event.kind == bytecode::RecordedKind::read ? 'R' : 'W';
    const int location = location_at(event.address);
    if (location < 0) {
      problems_ += " !unknown address " + std::to_string(event.address);
      return;
    }
    key.location = location_name(program_, location);
    key.value = static_cast<long>(event.value.low);
    // How the tool marks a held mutex is its own business.
    if (location >= static_cast<int>(program_.locations.size())) key.value = (event.value.low & 0xff) != 0;
    if (key.kind == 'R') key.source = source_of(event);
    if (key.kind == 'W') writes_[location].push_back(i);
    record_.threads[places_[i].thread].push_back(key);
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
    record_.coherence.emplace_back(location_name(program_, static_cast<int>(location)), places);
  }

  int location_at(bytecode::Address address) const {
    const int locations = static_cast<int>(program_.locations.size());
    const int all = locations + static_cast<int>(program_.mutexes.size());
    for (int i = 0; i < all; i++) {
      const std::uint64_t size = i < locations ? location_size : mutex_size;
      if (address >= address_of_location(i) && address < address_of_location(i) + size) return i;
    }
    return -1;
  }

  const LitmusProgram& program_;
  const bytecode::RecordedExecution& execution_;
  std::vector<Place> places_;                     // per recorded event
  std::vector<std::vector<std::size_t>> writes_;  // per location: recorded events
  KeyRecord record_;
  std::string problems_;
};

}  // namespace

std::string canonical_key(const LitmusProgram& program, const Candidate& candidate) {
  const KeyRecord record = record_of(program, candidate);
  return print_events(record) + print_coherence(record);
}

std::string reads_from_key(const LitmusProgram& program, const Candidate& candidate) {
  return print_events(record_of(program, candidate));
}

std::string canonical_key(const LitmusProgram& program, const bytecode::RecordedExecution& execution) {
  RecordedReader reader(program, execution);
  const KeyRecord record = reader.read();
  return print_events(record) + print_coherence(record) + reader.problems();
}

}  // namespace heddle::cross_check
