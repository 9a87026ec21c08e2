// The memory models by their literal definitions, evaluated on one complete candidate execution: every relation is a
// bit matrix, nothing is incremental and nothing is shared with the checkers of the tool. Tested in oracle_test.cpp
// against published verdicts and counts.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/memory_order.h"
#include "relation_matrix.h"

namespace heddle::cross_check {

enum class ReferenceModel { sc, tso, pso, ra, sra, rc11, rc11_2017, rc11_c11, rc11_strong };
inline constexpr ReferenceModel all_models[] = {
    ReferenceModel::sc,   ReferenceModel::tso,       ReferenceModel::pso,      ReferenceModel::ra,         ReferenceModel::sra,
    ReferenceModel::rc11, ReferenceModel::rc11_2017, ReferenceModel::rc11_c11, ReferenceModel::rc11_strong};
const char* name_of(ReferenceModel model);
std::optional<ReferenceModel> model_called(const std::string& name);

struct ModelOptions {
  // TSO: whether a compare-exchange that fails is still a locked instruction that drains the store buffer, as LOCK
  // CMPXCHG is. Off: it is an ordinary read.
  bool failed_compare_exchange_drains = true;
  // Whether a trylock that fails synchronises with the unlock before the lock that it saw. C and C++ do not promise it,
  // POSIX leaves it unspecified; the tool's trylock acquires in either case.
  bool failed_trylock_acquires = true;
};

enum class EventKind {
  read,
  write,
  fence,
  create,  // of thread `value`; likewise join
  join,
  begin,  // of a thread that another one created; likewise finish
  finish,
  arrive,  // at barrier `value`; likewise leave
  leave,
  choice,  // of `value`
  release,  // of the object at `location`
};

struct CandidateEvent {
  int thread = -1;  // -1: the initial write of its location
  int index = 0;  // position in its thread
  EventKind kind{};
  int location = -1;  // memory as litmus_program.h numbers it, or -1
  int value = 0;
  MemoryOrder order = MemoryOrder::relaxed;
  bool exclusive = false;  // half of a read-modify-write that writes; the write follows its read at once
  bool failed_exclusive = false;  // the read of a compare-exchange or trylock that failed
  int serial = -1;  // leave: 1 for the one thread of its round that is told so, else 0; -1: it never asks
};

// Events of one thread are neighbours, in program order.
struct Candidate {
  std::vector<CandidateEvent> events;
  std::vector<int> reads_from;  // per event: the write a read reads from, else -1
  std::vector<std::vector<int>> coherence;  // per location: its writes in order, the initial one first
  // What threads and barriers order: creating a thread comes before its beginning, its end before joining it; all
  // arrivals of a round come before all of its leaves.
  std::vector<std::pair<int, int>> synchronises;
};

// Those of the models that allow it.
std::vector<ReferenceModel> models_that_allow(const Candidate& candidate, const std::vector<ReferenceModel>& models,
                                              const ModelOptions& options);

// Two conflicting accesses of different threads, one of them plain, that the model's happens-before does not order.
bool has_race(const Candidate& candidate, ReferenceModel model);

// An access of an object that does not happen before every release of it.
bool has_use_after_free(const Candidate& candidate, ReferenceModel model);
bool has_double_free(const Candidate& candidate);

}  // namespace heddle::cross_check
