// Explores a program within small limits, as every target does that has one in its hands: a program that Heddle accepts
// must be runnable, whatever it does. Broken invariants throw, and so become findings.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/check.h"
#include "explore/explorer.h"

namespace heddle::fuzz {

inline const consistency::Model& model(const std::string& name) {
  static std::vector<std::pair<std::string, consistency::Model>> loaded;
  for (const auto& [known, model] : loaded)
    if (known == name) return model;
  auto model = consistency::Model::load(std::string(HEDDLE_MODELS_DIR) + "/" + name + ".kat");
  if (!model) std::abort();  // the tree is incomplete
  return loaded.emplace_back(name, std::move(*model)).second;
}

inline explore::ExploreOptions small_limits() {
  explore::ExploreOptions options;
  options.step_limit = 1'000;
  options.event_limit = 40;
  options.timeout_seconds = 0.02;
  options.keep_going = true;
  options.unroll = 3;
  return options;
}

// What the exploration tells has to be the same when an error is run again along its path.
inline void explore_and_replay(const bytecode::Program& program, const consistency::Model& model) {
  const explore::ExploreResult result = explore::explore(program, model, small_limits());
  if (result.violations.empty()) return;
  const bytecode::Violation& first = result.violations.front();
  explore::ExploreOptions again = small_limits();
  again.timeout_seconds.reset();  // one execution
  again.keep_going = false;
  again.path = first.path;
  const explore::ExploreResult replayed = explore::explore(program, model, again);
  HEDDLE_CHECK(!replayed.violations.empty(), "the path of an error leads to no error");
  HEDDLE_CHECK(replayed.violations.front().kind == first.kind, "the path of an error leads to another one");
}

}  // namespace heddle::fuzz
