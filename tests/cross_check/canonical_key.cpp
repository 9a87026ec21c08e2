// See canonical_key.h. Both sources are first brought into the same small record, then printed by the same code.
#include "canonical_key.h"

#include "key_record.h"

namespace heddle::cross_check {

namespace {

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

char letter_of(EventKind kind) {
  switch (kind) {
    case EventKind::read: return 'R';
    case EventKind::write: return 'W';
    case EventKind::fence: return 'F';
    case EventKind::choice: return 'C';
    default: return 0;  // not part of the key
  }
}

KeyRecord record_of(const LitmusProgram& program, const Candidate& candidate) {
  KeyRecord record;
  record.threads.resize(program.threads.size());
  std::vector<Place> places(candidate.events.size());
  std::vector<int> counts(program.threads.size(), 0);
  for (std::size_t i = 0; i < candidate.events.size(); i++) {
    const CandidateEvent& event = candidate.events[i];
    if (event.thread >= 0 && letter_of(event.kind) != 0) places[i] = {event.thread, counts[event.thread]++};
  }
  for (std::size_t i = 0; i < candidate.events.size(); i++) {
    const CandidateEvent& event = candidate.events[i];
    if (places[i].thread < 0) continue;
    KeyEvent key;
    key.kind = letter_of(event.kind);
    if (event.location >= 0) {
      key.location = name_of_memory(program, event.location);
      key.is_mutex = is_mutex(program, event.location);
    }
    key.value = event.value;
    key.order = event.order;
    if (event.kind == EventKind::read) key.source = places[candidate.reads_from[i]];
    record.threads[event.thread].push_back(key);
  }
  for (std::size_t location = 0; location < candidate.coherence.size(); location++) {
    std::vector<Place> in_order;
    for (std::size_t i = 1; i < candidate.coherence[location].size(); i++) {
      in_order.push_back(places[candidate.coherence[location][i]]);
    }
    record.coherence.emplace_back(name_of_memory(program, static_cast<int>(location)), in_order);
  }
  return record;
}

}  // namespace

std::string print_events(const KeyRecord& record) {
  std::string text;
  for (std::size_t thread = 0; thread < record.threads.size(); thread++) {
    text += (thread == 0 ? "T" : " | T") + std::to_string(thread + 1) + ":";
    for (std::size_t i = 0; i < record.threads[thread].size(); i++) {
      const KeyEvent& event = record.threads[thread][i];
      text += std::string(i == 0 ? " " : "; ") + event.kind;
      if (event.kind == 'C') text += " " + std::to_string(event.value);
      if (event.kind == 'R' || event.kind == 'W') text += " " + event.location + "=" + std::to_string(event.value);
      if (event.kind != 'C' && !event.is_mutex) {
        text += std::string(" ") + name_of(effective_order(event.kind, event.order));
      }
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

std::string canonical_key(const LitmusProgram& program, const Candidate& candidate) {
  const KeyRecord record = record_of(program, candidate);
  return print_events(record) + print_coherence(record);
}

std::string reads_from_key(const LitmusProgram& program, const Candidate& candidate) {
  return print_events(record_of(program, candidate));
}

}  // namespace heddle::cross_check
