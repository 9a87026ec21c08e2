// What canonical_key.cpp (from the reference) and recorded_key.cpp (from the tool) bring executions into, and how it is
// printed. Nobody else needs it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "litmus_program.h"

namespace heddle::cross_check {

struct Place {
  int thread = -1;  // -1: initial
  int index = 0;
};

struct KeyEvent {
  char kind = '?';  // R, W, F, C
  bool is_mutex = false;
  std::string location;
  long value = 0;
  MemoryOrder order = MemoryOrder::plain;
  Place source;  // of a read
};

struct KeyRecord {
  std::vector<std::vector<KeyEvent>> threads;
  std::vector<std::pair<std::string, std::vector<Place>>> coherence;  // per location, without the initial write
};

// Without coherence.
std::string print_events(const KeyRecord& record);
std::string print_coherence(const KeyRecord& record);

inline bool is_mutex(const LitmusProgram& program, int location) {
  return location >= first_mutex(program) && location < first_object(program, 0);
}

}  // namespace heddle::cross_check
