// See canonical_key.h. An event is its kind, location, order and source in a byte each and its value in eight; a place
// in coherence is two bytes. Every thread and every location starts with a bar, so no part can be taken for another.
#include "canonical_key.h"

#include <cstring>

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

char letter_of(EventKind kind) {
  switch (kind) {
    case EventKind::read: return 'R';
    case EventKind::write: return 'W';
    case EventKind::fence: return 'F';
    case EventKind::choice: return 'C';
    default: return 0;  // not part of the key
  }
}

// Reads a key that KeyWriter wrote.
class KeyReader {
 public:
  KeyReader(const LitmusProgram& program, const std::string& key) : program_(program), key_(key) {}

  std::string describe() {
    std::string text;
    const std::size_t events_end = reads_from_key(key_).size();
    for (int thread = 1; next_ < events_end; thread++) {
      next_++;  // the bar
      text += (thread == 1 ? "T" : " | T") + std::to_string(thread) + ":";
      for (bool first = true; next_ < events_end && key_[next_] != '|'; first = false) {
        text += first ? " " : "; ";
        text += describe_event();
      }
    }
    for (int location = 0; next_ < key_.size() && key_[next_] == '|'; location++) {
      next_++;
      bool first = true;
      for (; next_ < key_.size() && key_[next_] != '|' && key_[next_] != '!'; first = false) {
        text += (first ? " | co " + name_of_memory(program_, location) + ": " : " ") + describe_place();
      }
    }
    return text + key_.substr(next_);
  }

 private:
  int next_byte() { return static_cast<unsigned char>(key_[next_++]); }

  std::string describe_event() {
    const char kind = static_cast<char>(next_byte());
    const int location = next_byte() - 1, order = next_byte();
    long value = 0;
    std::memcpy(&value, key_.data() + next_, sizeof value);
    next_ += sizeof value;
    std::string text(1, kind);
    if (kind == 'C') text += " " + std::to_string(value);
    if (kind == 'R' || kind == 'W') text += " " + name_of_memory(program_, location) + "=" + std::to_string(value);
    if (kind != 'C' && !is_mutex(program_, location)) {
      text += std::string(" ") + name_of(static_cast<MemoryOrder>(order));
    }
    if (kind == 'R') text += " <- " + describe_place();
    return text;
  }

  std::string describe_place() {
    const int thread = next_byte(), index = next_byte();
    if (thread == 0) return "initial";
    return "T" + std::to_string(thread) + "." + std::to_string(index);
  }

  const LitmusProgram& program_;
  const std::string& key_;
  std::size_t next_ = 2;
};

}  // namespace

void KeyWriter::add(const KeyEvent& event) {
  const bool on_mutex = event.location >= first_mutex_ && event.location < first_object_;
  const MemoryOrder order =
      on_mutex || event.kind == 'C' ? MemoryOrder::plain : effective_order(event.kind, event.order);
  const long value = event.kind == 'F' ? 0 : event.value;
  char bytes[3 + sizeof value] = {event.kind, static_cast<char>(event.location + 1), static_cast<char>(order)};
  std::memcpy(bytes + 3, &value, sizeof value);
  key_.append(bytes, sizeof bytes);
  if (event.kind == 'R') add(event.source);
}

// A thread is at most 0x7b, so that a place never starts like a bar.
void KeyWriter::add(const Place& place) {
  key_ += static_cast<char>(place.thread + 1);
  key_ += static_cast<char>(place.index);
}

void KeyWriter::end_events() {
  key_[0] = static_cast<char>(key_.size() & 0xff);
  key_[1] = static_cast<char>(key_.size() >> 8);
}

std::string canonical_key(const LitmusProgram& program, const Candidate& candidate) {
  KeyWriter writer(program);
  Place places[matrix_limit];
  int thread = -1, count = 0;
  for (std::size_t i = 0; i < candidate.events.size(); i++) {
    const CandidateEvent& event = candidate.events[i];
    if (event.thread != thread) count = 0;
    thread = event.thread;
    if (thread >= 0 && letter_of(event.kind) != 0) places[i] = {thread, count++};
  }
  std::size_t next = 0;
  for (int i = -1; i < static_cast<int>(program.threads.size()); i++) {
    if (i >= 0) writer.begin_thread();
    for (; next < candidate.events.size() && candidate.events[next].thread == i; next++) {
      if (places[next].thread < 0) continue;
      const CandidateEvent& event = candidate.events[next];
      KeyEvent key{letter_of(event.kind), event.location, event.value, event.order, {}};
      if (event.kind == EventKind::read) key.source = places[candidate.reads_from[next]];
      writer.add(key);
    }
  }
  writer.end_events();
  for (const std::vector<int>& writes : candidate.coherence) {
    writer.begin_location();
    for (std::size_t i = 1; i < writes.size(); i++) writer.add(places[writes[i]]);
  }
  return writer.finish();
}

std::string reads_from_key(const std::string& key) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(key[i])); };
  return key.substr(0, byte(0) | byte(1) << 8);
}

std::string describe_key(const LitmusProgram& program, const std::string& key) {
  return KeyReader(program, key).describe();
}

}  // namespace heddle::cross_check
