// See reference_explorer.h.
#include "reference_explorer.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "canonical_key.h"
#include "thread_traces.h"

namespace heddle::cross_check {

namespace {

class Enumerator {
 public:
  Enumerator(const LitmusProgram& program, const std::vector<ReferenceModel>& models, const ModelOptions& options,
             bool prune)
      : program_(program),
        models_(models),
        options_(options),
        prune_(prune),
        traces_(all_traces(program, options)),
        location_count_(count_memory(program)) {
    for (ReferenceModel model : models) results_[model];
    for (std::size_t i = 0; i < program.threads.size(); i++) {
      created_by_main_.push_back(!creator_of(program, static_cast<int>(i)));
    }
  }

  std::map<ReferenceModel, ReferenceResult> run() {
    offers_.assign(traces_.size() + 1, 0);
    for (std::size_t i = traces_.size(); i-- > 0;) {
      offers_[i] = offers_[i + 1];
      for (const Trace& trace : traces_[i]) offers_[i] |= trace.gives;
    }
    std::vector<const Trace*> chosen;
    choose_traces(chosen, 0, 0);
    return std::move(results_);
  }

 private:
  // `needs` and `gives` are those of the chosen ones together: what nobody can write any more need not be tried.
  void choose_traces(std::vector<const Trace*>& chosen, std::uint64_t needs, std::uint64_t gives) {
    if (chosen.size() == traces_.size()) {
      if (threads_fit(chosen)) assemble(chosen);
      return;
    }
    const std::uint64_t others = gives | offers_[chosen.size() + 1];
    for (const Trace& trace : traces_[chosen.size()]) {
      if (((needs | trace.needs) & ~(others | trace.gives)) != 0) continue;
      chosen.push_back(&trace);
      choose_traces(chosen, needs | trace.needs, gives | trace.gives);
      chosen.pop_back();
    }
  }

  // Whether exactly the threads run that are created, and those that are joined have finished.
  bool threads_fit(const std::vector<const Trace*>& chosen) const {
    std::vector<bool> created = created_by_main_;
    for (std::size_t i = 0; i < chosen.size(); i++) {
      if (chosen[i]->end == TraceEnd::waits_for_thread &&
          chosen[static_cast<std::size_t>(chosen[i]->waits_for)]->end == TraceEnd::finished) {
        return false;
      }
      for (const CandidateEvent& event : chosen[i]->events) {
        if (event.kind == EventKind::create) created[static_cast<std::size_t>(event.value)] = true;
        if (event.kind == EventKind::join && chosen[static_cast<std::size_t>(event.value)]->end != TraceEnd::finished) {
          return false;
        }
      }
    }
    for (std::size_t i = 0; i < chosen.size(); i++) {
      if (created[i] == (chosen[i]->end == TraceEnd::not_created)) return false;
    }
    return true;
  }

  // Puts initial writes and the chosen traces together, then goes through all ways to explain the reads.
  void assemble(const std::vector<const Trace*>& chosen) {
    candidate_ = Candidate{};
    stuck_.clear();
    is_complete_ = true;
    is_misused_ = is_blocked_ = false;
    for (int location = 0; location < location_count_; location++) {
      CandidateEvent initial;
      initial.kind = EventKind::write;
      initial.location = location;
      candidate_.events.push_back(initial);
    }
    for (const Trace* trace : chosen) {
      candidate_.events.insert(candidate_.events.end(), trace->events.begin(), trace->events.end());
      if (trace->end == TraceEnd::waits_for_mutex) stuck_.push_back(trace->waits_for);
      if (trace->end != TraceEnd::finished && trace->end != TraceEnd::not_created) is_complete_ = false;
      if (trace->end == TraceEnd::misused) is_misused_ = true;
      if (trace->end == TraceEnd::blocked) is_blocked_ = true;
    }
    HEDDLE_CHECK(candidate_.events.size() <= matrix_limit, "the program has too many events for the reference");
    candidate_.reads_from.assign(candidate_.events.size(), -1);
    add_thread_edges();
    choose_rounds(0, {});
  }

  void add_thread_edges() {
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& event = candidate_.events[i];
      for (std::size_t j = 0; j < candidate_.events.size(); j++) {
        const CandidateEvent& other = candidate_.events[j];
        const int here = static_cast<int>(i), there = static_cast<int>(j);
        const bool begins = event.kind == EventKind::create && other.kind == EventKind::begin;
        const bool ends = event.kind == EventKind::join && other.kind == EventKind::finish;
        if (begins && other.thread == event.value) candidate_.synchronises.emplace_back(here, there);
        if (ends && other.thread == event.value) candidate_.synchronises.emplace_back(there, here);
      }
    }
  }

  // The arrivals at a barrier that are followed by leaving it, as events. A leave comes right after its arrival.
  std::vector<int> finished_waits(int barrier) const {
    std::vector<int> waits;
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& event = candidate_.events[i];
      if (event.kind == EventKind::leave && event.value == barrier) waits.push_back(static_cast<int>(i) - 1);
    }
    return waits;
  }

  // Deals the waits of the barriers from number `barrier` on to rounds, in every way; `round` is the one being filled.
  void choose_rounds(int barrier, std::vector<int> round) {
    if (barrier == static_cast<int>(program_.barriers.size())) {
      choose_sources(0);
      return;
    }
    const int count = program_.barriers[barrier].count;
    if (static_cast<int>(round.size()) == count) {
      add_round(barrier, round);
      return;
    }
    std::vector<int> rest;
    for (int wait : finished_waits(barrier)) {
      const bool is_dealt = std::find(dealt_.begin(), dealt_.end(), wait) != dealt_.end();
      if (!is_dealt && std::find(round.begin(), round.end(), wait) == round.end()) rest.push_back(wait);
    }
    if (rest.empty() && round.empty()) {
      if (count_stuck_arrivals(barrier) < count || is_misused_) choose_rounds(barrier + 1, {});
      return;
    }
    for (int wait : rest) {
      if (!round.empty() && wait < round.back()) continue;  // a round is a set
      round.push_back(wait);
      choose_rounds(barrier, round);
      round.pop_back();
      if (round.empty()) break;  // somebody is in a round with the first one left
    }
  }

  void add_round(int barrier, const std::vector<int>& round) {
    int told = 0, unasked = 0;
    for (int wait : round) {
      told += candidate_.events[wait + 1].serial == 1;
      unasked += candidate_.events[wait + 1].serial == -1;
    }
    if (told > 1 || told + unasked == 0) return;
    const std::size_t edges = candidate_.synchronises.size(), dealt = dealt_.size();
    for (int arrival : round) {
      for (int leave : round) candidate_.synchronises.emplace_back(arrival, leave + 1);
      dealt_.push_back(arrival);
    }
    choose_rounds(barrier, {});
    dealt_.resize(dealt);
    candidate_.synchronises.resize(edges);
  }

  int count_stuck_arrivals(int barrier) const {
    const auto arrivals = std::count_if(candidate_.events.begin(), candidate_.events.end(), [&](const auto& event) {
      return event.kind == EventKind::arrive && event.value == barrier;
    });
    return static_cast<int>(arrivals) - static_cast<int>(finished_waits(barrier).size());
  }

  void choose_sources(std::size_t event) {
    if (event == candidate_.events.size()) {
      candidate_.coherence.clear();
      if (is_misused_ || are_mutexes_taken()) choose_coherence(0);
      return;
    }
    if (candidate_.events[event].kind != EventKind::read) {
      choose_sources(event + 1);
      return;
    }
    const CandidateEvent& read = candidate_.events[event];
    for (int source = 0; source < static_cast<int>(candidate_.events.size()); source++) {
      const CandidateEvent& write = candidate_.events[source];
      if (write.kind != EventKind::write || write.location != read.location || write.value != read.value) continue;
      if (prune_ && is_taken(source, event)) continue;
      candidate_.reads_from[event] = source;
      choose_sources(event + 1);
    }
  }

  // Atomicity of every model: two read-modify-writes never read from the same write.
  bool is_taken(int source, std::size_t event) const {
    if (!candidate_.events[event].exclusive) return false;
    for (std::size_t i = 0; i < event; i++) {
      if (candidate_.reads_from[i] == source && candidate_.events[i].exclusive) return true;
    }
    return false;
  }

  // Coherence and atomicity of one location, which every model demands: going through a thread's accesses of it, the
  // write each of them is or reads from never moves back in `writes`, a write comes after what its thread has seen, and
  // the write of a read-modify-write comes right after its source.
  bool is_coherent(int location, const std::vector<int>& writes) const {
    std::array<int, matrix_limit> rank{};
    for (std::size_t i = 0; i < writes.size(); i++) rank[writes[i]] = static_cast<int>(i);
    int thread = -1, seen = 0;
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& event = candidate_.events[i];
      if (event.location != location || event.thread < 0 || event.kind == EventKind::release) continue;
      if (event.thread != thread) seen = 0;
      thread = event.thread;
      const bool is_write = event.kind == EventKind::write;
      const int now = rank[is_write ? static_cast<int>(i) : candidate_.reads_from[i]];
      if (now < seen || (is_write && now == seen)) return false;
      if (is_write && event.exclusive && now != seen + 1) return false;
      seen = now;
    }
    return true;
  }

  // Nobody waits for a mutex that is free.
  bool are_mutexes_taken() const {
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& write = candidate_.events[i];
      if (write.kind != EventKind::write || write.value != 0) continue;
      if (std::find(stuck_.begin(), stuck_.end(), write.location) == stuck_.end()) continue;
      const auto& sources = candidate_.reads_from;
      if (std::find(sources.begin(), sources.end(), static_cast<int>(i)) == sources.end()) return false;
    }
    return true;
  }

  void choose_coherence(int location) {
    if (location == location_count_) {
      judge();
      return;
    }
    std::vector<int> writes;  // ascending, the initial write first
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& event = candidate_.events[i];
      if (event.kind == EventKind::write && event.location == location) writes.push_back(static_cast<int>(i));
    }
    if (prune_) {
      choose_next_write(location, writes, 1);
      return;
    }
    do {
      use_order(location, writes);
    } while (std::next_permutation(writes.begin() + 1, writes.end()));
  }

  void use_order(int location, const std::vector<int>& writes) {
    candidate_.coherence.push_back(writes);
    choose_coherence(location + 1);
    candidate_.coherence.pop_back();
  }

  // Tries every write that may come next, with `count` of them in their places: in program order within a thread, and
  // the write of a read-modify-write right after its source. The others stay in ascending order.
  void choose_next_write(int location, std::vector<int>& writes, std::size_t count) {
    if (count == writes.size()) {
      if (is_coherent(location, writes)) use_order(location, writes);
      return;
    }
    for (std::size_t i = count; i < writes.size(); i++) {
      const CandidateEvent& event = candidate_.events[writes[i]];
      const bool is_first_of_thread = std::none_of(writes.begin() + static_cast<std::ptrdiff_t>(count),
                                                   writes.begin() + static_cast<std::ptrdiff_t>(i), [&](int other) {
                                                     return candidate_.events[other].thread == event.thread;
                                                   });
      if (!is_first_of_thread) continue;
      if (event.exclusive && candidate_.reads_from[writes[i] - 1] != writes[count - 1]) continue;
      const auto begin = writes.begin() + static_cast<std::ptrdiff_t>(count);
      const auto chosen = writes.begin() + static_cast<std::ptrdiff_t>(i);
      std::rotate(begin, chosen, chosen + 1);
      choose_next_write(location, writes, count + 1);
      std::rotate(begin, begin + 1, chosen + 1);
    }
  }

  void judge() {
    for (const ReferenceModel model : models_that_allow(candidate_, models_, options_)) record(results_[model], model);
  }

  void record(ReferenceResult& result, ReferenceModel model) {
    if (is_misused_) {
      result.misused = true;
      return;
    }
    if (has_race(candidate_, model)) result.race = true;
    if (has_use_after_free(candidate_, model)) result.use_after_free = true;
    if (has_double_free(candidate_)) result.double_free = true;
    if (!is_complete_) {
      (is_blocked_ ? result.deadlock_beside_blocked : result.deadlock) = true;
      return;
    }
    const std::string key = canonical_key(program_, candidate_);
    const bool is_new = result.executions.insert(key).second;
    // Who meets whom at a barrier is not part of the key.
    HEDDLE_CHECK(is_new || !program_.barriers.empty(), "the reference enumerated an execution twice");
  }

  const LitmusProgram& program_;
  const std::vector<ReferenceModel>& models_;
  const ModelOptions& options_;
  const bool prune_;
  const std::vector<std::vector<Trace>> traces_;
  const int location_count_;
  std::vector<bool> created_by_main_;  // per thread
  std::vector<std::uint64_t> offers_;  // what the threads from this one on can write
  Candidate candidate_;
  bool is_complete_ = false, is_misused_ = false, is_blocked_ = false;
  std::vector<int> dealt_;  // arrivals that are in a round
  std::vector<int> stuck_;  // mutexes that some thread waits for
  std::map<ReferenceModel, ReferenceResult> results_;
};

}  // namespace

std::map<ReferenceModel, ReferenceResult> explore_reference(const LitmusProgram& program,
                                                            const std::vector<ReferenceModel>& models,
                                                            const ModelOptions& options, bool prune) {
  return Enumerator(program, models, options, prune).run();
}

}  // namespace heddle::cross_check
