// What canonical_key.cpp (from the reference) and recorded_key.cpp (from the tool) write executions with. Nobody else
// needs it.
#pragma once

#include <string>
#include <vector>

#include "litmus_program.h"

namespace heddle::cross_check {

struct Place {
  int thread = -1;  // -1: initial
  int index = 0;
};

struct KeyEvent {
  char kind = '?';  // R, W, F, C
  int location = -1;  // as litmus_program.h numbers memory
  long value = 0;
  MemoryOrder order = MemoryOrder::plain;
  Place source;  // of a read
};

// Writes a key: the threads in order, each with its events; then the locations in order, each with its writes but for
// the initial one. Takes what it needs by the call, and keeps nothing.
class KeyWriter {
 public:
  explicit KeyWriter(const LitmusProgram& program) : first_mutex_(first_mutex(program)), first_object_(first_object(program, 0)) {
    key_.reserve(256);
    key_.resize(2);  // where the events end
  }

  void begin_thread() { key_ += '|'; }
  void add(const KeyEvent& event);
  void end_events();
  void begin_location() { key_ += '|'; }
  void add(const Place& place);
  void add_problem(const std::string& text) { problems_ += text; }
  std::string finish() { return std::move(key_ += problems_.empty() ? "" : "!" + problems_); }

 private:
  const int first_mutex_, first_object_;
  std::string key_, problems_;
};

inline bool is_mutex(const LitmusProgram& program, int location) {
  return location >= first_mutex(program) && location < first_object(program, 0);
}

}  // namespace heddle::cross_check
