// See reference_explorer.h.
#include "reference_explorer.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "canonical_key.h"

namespace heddle::cross_check {

namespace {

struct Trace {
  std::vector<CandidateEvent> events;
  int stuck_at = -1;  // the mutex (as a location) that the thread waits for, or -1 if it finished
};

using Domains = std::vector<std::set<int>>;  // per location: values a read may return

// All traces of one thread, reads returning anything in the domain.
class ThreadRunner {
 public:
  ThreadRunner(const LitmusProgram& program, int thread, const Domains& domains)
      : thread_(thread), code_(program.threads[thread]), domains_(domains),
        mutexes_begin_(static_cast<int>(program.locations.size())) {}

  std::vector<Trace> run() {
    step(0, {}, {});
    return std::move(traces_);
  }

 private:
  using Registers = std::array<int, register_limit>;

  static int evaluate(const Operand& operand, const Registers& registers) {
    return (operand.source == no_register ? 0 : registers[operand.source]) + operand.constant;
  }

  void add(Trace& trace, EventKind kind, int location, int value, MemoryOrder order, bool exclusive) const {
    CandidateEvent event;
    event.thread = thread_;
    event.index = static_cast<int>(trace.events.size());
    event.kind = kind;
    event.location = location;
    event.value = value;
    event.order = order;
    event.exclusive = exclusive;
    trace.events.push_back(event);
  }

  void step(std::size_t position, Registers registers, Trace trace) {
    if (position >= code_.size()) {
      traces_.push_back(trace);
      return;
    }
    const Operation& operation = code_[position];
    switch (operation.kind) {
      case OperationKind::fence:
        add(trace, EventKind::fence, -1, 0, operation.order, false);
        break;
      case OperationKind::skip_if_equal:
        if (registers[operation.operand.source] == operation.expected) position += operation.skip;
        break;
      case OperationKind::store:
        add(trace, EventKind::write, operation.location, evaluate(operation.operand, registers), operation.order,
            false);
        break;
      case OperationKind::lock: {
        const int mutex = mutexes_begin_ + operation.location;
        Trace stuck = trace;
        stuck.stuck_at = mutex;
        traces_.push_back(stuck);
        add(trace, EventKind::read, mutex, 0, MemoryOrder::acquire, true);
        add(trace, EventKind::write, mutex, 1, MemoryOrder::acquire, true);
        break;
      }
      case OperationKind::unlock:
        add(trace, EventKind::write, mutexes_begin_ + operation.location, 0, MemoryOrder::release, false);
        break;
      case OperationKind::load:
      case OperationKind::fetch_add:
      case OperationKind::exchange:
      case OperationKind::compare_exchange:
        for (int value : domains_[operation.location]) step_read(position, registers, trace, value);
        return;
    }
    step(position + 1, registers, trace);
  }

  void step_read(std::size_t position, Registers registers, Trace trace, int value) {
    const Operation& operation = code_[position];
    const int operand = evaluate(operation.operand, registers);  // before the target is overwritten
    registers[operation.target] = value;
    const bool fails = operation.kind == OperationKind::compare_exchange && value != operation.expected;
    const bool writes = operation.kind != OperationKind::load && !fails;
    add(trace, EventKind::read, operation.location, value, fails ? operation.failure_order : operation.order, writes);
    trace.events.back().failed_exclusive = fails;
    if (writes) {
      const int written = operation.kind == OperationKind::fetch_add  ? value + operand
                          : operation.kind == OperationKind::exchange ? operand
                                                                      : operation.desired;
      add(trace, EventKind::write, operation.location, written, operation.order, true);
    }
    step(position + 1, registers, trace);
  }

  const int thread_;
  const LitmusThread& code_;
  const Domains& domains_;
  const int mutexes_begin_;
  std::vector<Trace> traces_;
};

int count_writes(const LitmusProgram& program) {
  int count = 0;
  for (const LitmusThread& thread : program.threads) {
    for (const Operation& operation : thread) {
      count += accesses_location(operation.kind) && operation.kind != OperationKind::load;
    }
  }
  return count;
}

// The traces of every thread over the closed value domain.
std::vector<std::vector<Trace>> all_traces(const LitmusProgram& program) {
  Domains domains(program.locations.size(), {0});
  std::vector<std::vector<Trace>> traces;
  for (int round = 0; round <= count_writes(program); round++) {
    traces.clear();
    Domains next = domains;
    for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
      traces.push_back(ThreadRunner(program, static_cast<int>(thread), domains).run());
      for (const Trace& trace : traces.back()) {
        for (const CandidateEvent& event : trace.events) {
          if (event.kind == EventKind::write && event.location < static_cast<int>(domains.size())) {
            next[event.location].insert(event.value);
          }
        }
      }
    }
    if (next == domains) break;
    domains = next;
  }
  return traces;
}

class Enumerator {
 public:
  Enumerator(const LitmusProgram& program, const std::vector<ReferenceModel>& models, const ModelOptions& options,
             bool prune)
      : program_(program), models_(models), options_(options), prune_(prune), traces_(all_traces(program)) {
    location_count_ = static_cast<int>(program.locations.size() + program.mutexes.size());
    for (ReferenceModel model : models) results_[model];
  }

  std::map<ReferenceModel, ReferenceResult> run() {
    std::vector<const Trace*> chosen;
    choose_traces(chosen);
    return std::move(results_);
  }

 private:
  void choose_traces(std::vector<const Trace*>& chosen) {
    if (chosen.size() == traces_.size()) {
      assemble(chosen);
      return;
    }
    for (const Trace& trace : traces_[chosen.size()]) {
      chosen.push_back(&trace);
      choose_traces(chosen);
      chosen.pop_back();
    }
  }

  // Puts initial writes and the chosen traces together, then goes through all ways to explain the reads.
  void assemble(const std::vector<const Trace*>& chosen) {
    candidate_ = Candidate{};
    stuck_.clear();
    for (int location = 0; location < location_count_; location++) {
      CandidateEvent initial;
      initial.kind = EventKind::write;
      initial.location = location;
      candidate_.events.push_back(initial);
    }
    for (const Trace* trace : chosen) {
      candidate_.events.insert(candidate_.events.end(), trace->events.begin(), trace->events.end());
      if (trace->stuck_at >= 0) stuck_.push_back(trace->stuck_at);
    }
    HEDDLE_CHECK(candidate_.events.size() <= matrix_limit, "the program has too many events for the reference");
    candidate_.reads_from.assign(candidate_.events.size(), -1);
    // Nobody writes what some read returns: no need to try the other reads.
    for (const CandidateEvent& event : candidate_.events) {
      if (event.kind == EventKind::read && sources_of(event).empty()) return;
    }
    choose_sources(0);
  }

  std::vector<int> sources_of(const CandidateEvent& read) const {
    std::vector<int> sources;
    for (std::size_t i = 0; i < candidate_.events.size(); i++) {
      const CandidateEvent& write = candidate_.events[i];
      if (write.kind == EventKind::write && write.location == read.location && write.value == read.value) {
        sources.push_back(static_cast<int>(i));
      }
    }
    return sources;
  }

  void choose_sources(std::size_t event) {
    if (event == candidate_.events.size()) {
      candidate_.coherence.clear();
      if (stuck_.empty() || is_deadlock()) choose_coherence(0);
      return;
    }
    if (candidate_.events[event].kind != EventKind::read) {
      choose_sources(event + 1);
      return;
    }
    for (int source : sources_of(candidate_.events[event])) {
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
      if (event.location != location || event.thread < 0) continue;
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

  bool is_deadlock() const {
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
    do {
      if (prune_ && !is_coherent(location, writes)) continue;
      candidate_.coherence.push_back(writes);
      choose_coherence(location + 1);
      candidate_.coherence.pop_back();
    } while (std::next_permutation(writes.begin() + 1, writes.end()));
  }

  void judge() {
    for (ReferenceModel model : models_) {
      if (!is_consistent(candidate_, model, options_)) continue;
      ReferenceResult& result = results_[model];
      if (has_race(candidate_, model)) result.race = true;
      if (!stuck_.empty()) {
        result.deadlock = true;
        continue;
      }
      const bool is_new = result.executions.insert(canonical_key(program_, candidate_)).second;
      HEDDLE_CHECK(is_new, "the reference enumerated an execution twice");
      result.reads_from_classes.insert(reads_from_key(program_, candidate_));
    }
  }

  const LitmusProgram& program_;
  const std::vector<ReferenceModel>& models_;
  const ModelOptions& options_;
  const bool prune_;
  const std::vector<std::vector<Trace>> traces_;
  int location_count_ = 0;
  Candidate candidate_;
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
