// See thread_traces.h.
#include "thread_traces.h"

#include <array>
#include <map>
#include <set>

namespace heddle::cross_check {

namespace {

using Domains = std::vector<std::set<int>>;  // per location and object: values a read may return

// What a thread knows while it runs.
struct ThreadState {
  std::size_t position = 0;
  std::array<int, register_limit> registers{};
  std::vector<int> repetitions;  // per operation: how often it has gone back, if it does
  std::uint32_t held = 0;     // mutexes, numbered as memory: bit i
  std::uint32_t created = 0;  // threads: bit i
  int allocations = 0;
  Trace trace;
};

class ThreadRunner {
 public:
  ThreadRunner(const LitmusProgram& program, int thread, const Domains& domains, const ModelOptions& options)
      : program_(program),
        thread_(thread),
        code_(program.threads[thread]),
        domains_(domains),
        options_(options),
        is_created_(creator_of(program, thread).has_value()) {}

  std::vector<Trace> run() {
    ThreadState state;
    if (is_created_) {
      add(state, EventKind::begin, -1, 0);
      traces_.push_back({.events = {}, .end = TraceEnd::not_created});
    }
    step(state);
    return std::move(traces_);
  }

 private:
  // Takes the element out; false: it is not in.
  static bool take(std::uint32_t& set, int element) {
    const bool is_in = (set >> element & 1) != 0;
    set &= ~(1u << element);
    return is_in;
  }

  static int evaluate(const Operand& operand, const ThreadState& state) {
    return (operand.source == no_register ? 0 : state.registers[operand.source]) + operand.constant;
  }

  CandidateEvent& add(ThreadState& state, EventKind kind, int location, int value,
                      MemoryOrder order = MemoryOrder::relaxed) const {
    CandidateEvent event;
    event.thread = thread_;
    event.index = static_cast<int>(state.trace.events.size());
    event.kind = kind;
    event.location = location;
    event.value = value;
    event.order = order;
    state.trace.events.push_back(event);
    return state.trace.events.back();
  }

  void stop(const ThreadState& state, TraceEnd end, int waits_for = -1) {
    traces_.push_back(state.trace);
    traces_.back().end = end;
    traces_.back().waits_for = waits_for;
  }

  // Goes on behind the current operation.
  void next(ThreadState state) {
    state.position++;
    step(std::move(state));
  }

  void step(ThreadState state) {
    if (state.position >= code_.size()) {
      if (is_created_) add(state, EventKind::finish, -1, 0);
      return stop(state, TraceEnd::finished);
    }
    const Operation& operation = code_[state.position];
    switch (operation.kind) {
      case OperationKind::fence: add(state, EventKind::fence, -1, 0, operation.order); break;
      case OperationKind::skip_if_equal:
        if (state.registers[operation.operand.source] == operation.expected) state.position += operation.skip;
        break;
      case OperationKind::again: {
        state.repetitions.resize(code_.size());
        int& count = state.repetitions[state.position];
        if (count == operation.expected) {
          count = 0;
          break;
        }
        count++;
        state.position -= static_cast<std::size_t>(operation.skip);
        return step(std::move(state));
      }
      case OperationKind::lock:
      case OperationKind::trylock: return step_lock(state, operation);
      case OperationKind::unlock: {
        const int mutex = first_mutex(program_) + operation.location;
        if (!take(state.held, mutex)) return stop(state, TraceEnd::misused);
        add(state, EventKind::write, mutex, 0, MemoryOrder::release);
        break;
      }
      case OperationKind::wait: return step_wait(state, operation);
      case OperationKind::allocate:
        state.registers[operation.target] = pointer_to(first_object(program_, thread_) + state.allocations++);
        break;
      case OperationKind::release: {
        const std::optional<int> object = object_at(program_, state.registers[operation.operand.source]);
        if (!object) return stop(state, TraceEnd::misused);
        add(state, EventKind::release, *object, 0);
        break;
      }
      case OperationKind::choose:
        for (int value = operation.expected; value <= operation.desired; value++) {
          ThreadState choice = state;
          add(choice, EventKind::choice, -1, value);
          choice.registers[operation.target] = value;
          next(choice);
        }
        return;
      case OperationKind::assume:
        if (state.registers[operation.operand.source] != operation.expected) return stop(state, TraceEnd::blocked);
        break;
      case OperationKind::create:
        if (take(state.created, operation.location)) return stop(state, TraceEnd::misused);
        state.created |= 1u << operation.location;
        add(state, EventKind::create, -1, operation.location);
        break;
      case OperationKind::join:
        if (!take(state.created, operation.location)) return stop(state, TraceEnd::misused);
        stop(state, TraceEnd::waits_for_thread, operation.location);
        add(state, EventKind::join, -1, operation.location);
        break;
      case OperationKind::load:
      case OperationKind::store:
      case OperationKind::fetch_add:
      case OperationKind::exchange:
      case OperationKind::compare_exchange: return step_access(state, operation);
    }
    next(std::move(state));
  }

  // A lock or a trylock that finds the mutex free reads 0 and writes 1, atomically. A lock that does not waits; a
  // trylock that does not is the read alone.
  void step_lock(ThreadState state, const Operation& operation) {
    const int mutex = first_mutex(program_) + operation.location;
    const bool only_tries = operation.kind == OperationKind::trylock;
    if (only_tries) {
      ThreadState failed = state;
      const MemoryOrder order = options_.failed_trylock_acquires ? MemoryOrder::acquire : MemoryOrder::relaxed;
      add(failed, EventKind::read, mutex, 1, order).failed_exclusive = true;
      failed.registers[operation.target] = 1;
      next(failed);
    } else {
      stop(state, TraceEnd::waits_for_mutex, mutex);
    }
    add(state, EventKind::read, mutex, 0, MemoryOrder::acquire).exclusive = true;
    add(state, EventKind::write, mutex, 1, MemoryOrder::relaxed).exclusive = true;
    state.held |= 1u << mutex;
    if (only_tries) state.registers[operation.target] = 0;
    next(state);
  }

  // Arriving and leaving; in between, the thread may have to wait for ever.
  void step_wait(ThreadState state, const Operation& operation) {
    add(state, EventKind::arrive, -1, operation.location);
    stop(state, TraceEnd::waits_at_barrier, operation.location);
    if (operation.target == no_register) {
      add(state, EventKind::leave, -1, operation.location);
      return next(state);
    }
    for (const int serial : {0, 1}) {
      ThreadState left = state;
      add(left, EventKind::leave, -1, operation.location).serial = serial;
      left.registers[operation.target] = serial;
      next(left);
    }
  }

  void step_access(ThreadState state, const Operation& operation) {
    int location = operation.location;
    if (operation.pointer != no_register) {
      const std::optional<int> object = object_at(program_, state.registers[operation.pointer]);
      if (!object) return stop(state, TraceEnd::misused);
      location = *object;
    } else if (operation.index != no_register) {
      const auto size = static_cast<unsigned>(array_at(program_, location)->size);
      location += static_cast<int>(static_cast<unsigned>(state.registers[operation.index]) % size);
    }
    if (operation.kind == OperationKind::store) {
      add(state, EventKind::write, location, evaluate(operation.operand, state), operation.order);
      return next(std::move(state));
    }
    for (int value : domains_[location]) step_read(state, operation, location, value);
  }

  void step_read(ThreadState state, const Operation& operation, int location, int value) {
    const int operand = evaluate(operation.operand, state);  // before the target is overwritten
    state.registers[operation.target] = value;
    const bool fails = operation.kind == OperationKind::compare_exchange && value != operation.expected;
    const bool writes = operation.kind != OperationKind::load && !fails;
    CandidateEvent& read =
        add(state, EventKind::read, location, value, fails ? operation.failure_order : operation.order);
    read.exclusive = writes;
    read.failed_exclusive = fails;
    if (writes) {
      const int written = operation.kind == OperationKind::fetch_add  ? value + operand
                          : operation.kind == OperationKind::exchange ? operand
                                                                      : operation.desired;
      add(state, EventKind::write, location, written, operation.order).exclusive = true;
    }
    next(std::move(state));
  }

  const LitmusProgram& program_;
  const int thread_;
  const LitmusThread& code_;
  const Domains& domains_;
  const ModelOptions& options_;
  const bool is_created_;  // by a thread: main has nothing to order its threads with
  std::vector<Trace> traces_;
};

int count_writes(const LitmusProgram& program) {
  int count = 0;
  for (const LitmusThread& thread : program.threads) {
    for (std::size_t i = 0; i < thread.size(); i++) {
      const bool writes = accesses_location(thread[i].kind) && thread[i].kind != OperationKind::load;
      if (writes) count += count_repetitions(thread, i);
    }
  }
  return count;
}

// Fills in `needs` and `gives`. The initial values need nobody to write them.
void note_values(std::vector<std::vector<Trace>>& traces, const Domains& domains) {
  std::map<std::pair<int, int>, int> numbers;
  for (std::size_t location = 0; location < domains.size(); location++) {
    for (const int value : domains[location]) {
      if (value != 0) numbers.emplace(std::pair(static_cast<int>(location), value), static_cast<int>(numbers.size()));
    }
  }
  if (numbers.size() > 64) return;
  for (std::vector<Trace>& of_thread : traces) {
    for (Trace& trace : of_thread) {
      for (const CandidateEvent& event : trace.events) {
        const auto found = numbers.find({event.location, event.value});
        if (found == numbers.end()) continue;
        if (event.kind == EventKind::read) trace.needs |= std::uint64_t{1} << found->second;
        if (event.kind == EventKind::write) trace.gives |= std::uint64_t{1} << found->second;
      }
    }
  }
}

}  // namespace

std::vector<std::vector<Trace>> all_traces(const LitmusProgram& program, const ModelOptions& options) {
  Domains domains(static_cast<std::size_t>(count_memory(program)), {0});
  std::vector<std::vector<Trace>> traces;
  for (int round = 0; round <= count_writes(program); round++) {
    traces.clear();
    Domains next = domains;
    for (std::size_t thread = 0; thread < program.threads.size(); thread++) {
      traces.push_back(ThreadRunner(program, static_cast<int>(thread), domains, options).run());
      for (const Trace& trace : traces.back()) {
        for (const CandidateEvent& event : trace.events) {
          if (event.kind == EventKind::write) next[event.location].insert(event.value);
        }
      }
    }
    if (next == domains) break;
    domains = next;
  }
  note_values(traces, domains);
  return traces;
}

}  // namespace heddle::cross_check
