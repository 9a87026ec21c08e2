// The memory models by their literal definitions, evaluated on one complete candidate execution: every relation is a bit
// matrix, nothing is incremental and nothing is shared with the checkers of the tool. Tested in oracle_test.cpp against
// published verdicts and counts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/memory_order.h"
#include "relation_matrix.h"

namespace heddle::cross_check {

enum class ReferenceModel { sc, tso, ra, rc11 };
inline constexpr ReferenceModel all_models[] = {ReferenceModel::sc, ReferenceModel::tso, ReferenceModel::ra,
                                                ReferenceModel::rc11};
const char* name_of(ReferenceModel model);
std::optional<ReferenceModel> model_called(const std::string& name);

struct ModelOptions {
  // TSO: whether a compare-exchange that fails is still a locked instruction that drains the store buffer. The
  // conformance set says "a failed compare-and-swap is a read", so by default it does not.
  bool failed_compare_exchange_drains = true;
};

enum class EventKind { read, write, fence };

struct CandidateEvent {
  int thread = -1;  // -1: the initial write of its location
  int index = 0;    // position in its thread
  EventKind kind{};
  int location = -1;  // locations first, then mutexes; -1: fence
  int value = 0;
  MemoryOrder order = MemoryOrder::relaxed;
  bool exclusive = false;         // half of a read-modify-write that writes; the write follows its read at once
  bool failed_exclusive = false;  // the read of a compare-exchange that failed
};

// Events of one thread are neighbours, in program order.
struct Candidate {
  std::vector<CandidateEvent> events;
  std::vector<int> reads_from;             // per event: the write a read reads from, else -1
  std::vector<std::vector<int>> coherence; // per location: its writes in order, the initial one first
};

bool is_consistent(const Candidate& candidate, ReferenceModel model, const ModelOptions& options);

// Two conflicting accesses of different threads, one of them plain, that the model's happens-before does not order.
bool has_race(const Candidate& candidate, ReferenceModel model);

}  // namespace heddle::cross_check
