// A word as a counterexample: events, known by their labels, and the steps between them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "prover/label_classes.h"
#include "prover/letter.h"

namespace heddle::prover {

struct Word {
  std::vector<std::uint64_t> labels;  // of each event
  std::vector<std::string> names;     // the same, readable
  std::vector<StepCode> steps;        // one fewer than events
  bool cycle = false;                 // the last event is the first one

  void add_event(const LabelClasses& classes, unsigned c) {
    labels.push_back(classes.labels_of(c));
    names.push_back(classes.name(c));
  }
};

// `W -po-> R -rf^-1-> W`; of a cycle, the last event is printed as the first one again.
std::string print_word(const Word& word);

}  // namespace heddle::prover
