// Random litmus programs, a pure function of the seed: the same seed gives the same program on every machine (the
// generator brings its own random numbers). Programs are small, because the reference is slow, and lean towards what
// goes wrong: few locations, equal values, read-modify-writes, values that flow from reads to writes and branches.
// Tested in oracle_test.cpp.
#pragma once

#include <cstdint>

#include "litmus_program.h"

namespace heddle::cross_check {

struct RandomProgramOptions {
  int event_limit = 8;      // as count_events counts
  int location_limit = 3;
  int thread_limit = 4;
  bool allow_plain = true;
  bool allow_locks = true;
};

LitmusProgram random_program(std::uint64_t seed, const RandomProgramOptions& options);

}  // namespace heddle::cross_check
