// Metamorphic relations: what must stay the same, or may only become less, when a program, the model or the way of
// exploring changes. They need no reference, so programs may be larger than the reference could enumerate.
//
//   equal   threads in another order (which is also another schedule: the explorer prefers low numbers), variables at
//           other places with padding between, a further thread that does nothing or touches only its own variable,
//           every switch of the explorer
//   fewer   a stronger memory order, a fence more, a stronger model
//
// Executions are compared as graphs (reads-from and coherence, without orders and fences), not only by number.
// Tested by its own use: tests/mutation shows that it notices faults.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "random_program.h"
#include "reference_models.h"

namespace heddle::cross_check {

struct MetamorphicOptions {
  std::uint64_t most_executions = 3'000;  // programs with more are left out
  int variants = 3;                       // of each kind that has many
  std::vector<ReferenceModel> models{std::begin(all_models), std::end(all_models)};
};

struct MetamorphicResult {
  std::vector<std::string> differences;  // one text each; empty if every relation holds
  std::uint64_t comparisons = 0;
  std::uint64_t left_out = 0;            // pairs of program and model with too many executions
};

// `seed` chooses the variants.
MetamorphicResult check_relations(const LitmusProgram& program, std::uint64_t seed, const MetamorphicOptions& options);

// Pairs of models, the first at least as strong as the second; `heddle models` proves each (tests/metamorphic checks
// that it does).
struct StrongerModel {
  ReferenceModel strong, weak;
};
const std::vector<StrongerModel>& order_of_models();

// A program about `size` events large, of a kind that has relations.
LitmusProgram metamorphic_program(std::uint64_t seed, int size);

}  // namespace heddle::cross_check
