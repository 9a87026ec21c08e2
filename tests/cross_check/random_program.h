// Random litmus programs, a pure function of the seed: the same seed gives the same program on every machine (the
// generator brings its own random numbers). Programs are small, because the reference is slow, and lean towards what
// goes wrong: few locations, equal values, read-modify-writes, values that flow from reads to writes and branches.
// Tested in oracle_test.cpp.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <string>

#include "litmus_program.h"

namespace heddle::cross_check {

// What a program is about, beside accesses and fences.
enum class Feature {
  basic,    // locks at times
  trylock,  // sections under lock and trylock
  barrier,
  heap,     // objects passed on by pointer, freed
  choose,
  assume,   // sections and choices with assumptions behind them
  threads,  // created and joined by threads
  sequence, // release sequences, continued and cut
  loop,     // bounded, and left early at times
  array,    // elements chosen by values read
  mixed,    // several of these, without release sequences
};
inline constexpr Feature all_features[] = {Feature::basic,  Feature::trylock, Feature::barrier,  Feature::heap,
                                           Feature::choose, Feature::assume,  Feature::threads,  Feature::sequence,
                                           Feature::loop,   Feature::array,   Feature::mixed};
inline Feature feature_at_turn(std::uint64_t turn) { return all_features[turn % std::size(all_features)]; }
const char* name_of(Feature feature);
std::optional<Feature> feature_called(const std::string& name);

struct RandomProgramOptions {
  Feature feature = Feature::basic;
  int event_limit = 8;      // as count_events counts
  int location_limit = 3;
  int thread_limit = 4;
  bool allow_plain = true;
  bool allow_locks = true;
};

LitmusProgram random_program(std::uint64_t seed, const RandomProgramOptions& options);

}  // namespace heddle::cross_check
