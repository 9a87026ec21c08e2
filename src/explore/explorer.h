// Explores every execution of a program that a model allows, each exactly once (TruSt: thesis ch. 5 and 6).
// Owns the only loop; machine, graph and checker are called and never call back. Returns plain data, prints nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bytecode/program.h"
#include "bytecode/recorded_execution.h"
#include "consistency/model.h"
#include "consistency/native_code.h"

namespace heddle::explore {

struct ExploreOptions {
  std::uint64_t step_limit = 10'000'000;      // instructions of one thread between two visible actions
  std::uint64_t event_limit = 100'000;        // events of one execution
  std::optional<std::uint32_t> unroll;        // bound on every loop; none: no bound
  bool spin_assume = true;                    // a loop that came back to the same state without effect waits there
  bool liveness = true;                       // report loops that spin for ever
  bool unordered_barriers = true;  // do not explore who arrives first at a barrier, where that is possible
  bool race_detection = true;
  bool keep_going = false;                    // go on after the first error; report each distinct one once
  bool detect_duplicates = false;             // remember a hash of every complete graph (tests)
  bool maximal_shortcut = true;               // do not check events added maximally: extensibility (off: tests)
  bool specialise_model = true;               // drop parts of the model no event of this program can satisfy
  bool cycle_filter = true;                   // look for any cycle before running the model's automata
  consistency::NativeOptions native;          // whether and when the model runs as compiled code
  bool remember_threads = true;               // do not run a thread again for answers it got before
  bool idle_ends = true;                      // ends of threads and joins are no events until somebody needs them
  bool ignore_rewriting = true;               // an update that writes what it has read is no effect of a loop
  bool undone_updates = true;                 // nor are updates that cancel out; see undone.cpp
  bool undone_among_others = true;            // ... with other threads' updates between them
  bool prune_futile = true;                   // do not go on where a thread has stopped for good; see futile.cpp
  bool writes_first = true;                   // schedule writes before reads
  std::optional<double> timeout_seconds;
  std::optional<std::uint64_t> memory_limit_mb;
  const std::atomic<bool>* interrupted = nullptr;  // set from a signal handler: stop cleanly
  std::function<void(std::uint64_t complete, std::uint64_t blocked)> progress;  // called about once a second
  // Replay: take exactly these choices, then stop. `on_print` receives the program's output.
  std::optional<std::vector<std::uint32_t>> path;
  std::function<void(std::uint32_t thread, const std::string& text)> on_print;
  // A part of the exploration: only what lies below this path, as listed in ExploreResult::parts.
  std::optional<std::vector<std::uint32_t>> below;
  // Do not explore what lies this many choices deep: list it in ExploreResult::parts. (Below a path: counted from
  // there.)
  std::optional<std::uint32_t> split_depth;
  // Tests: called with every complete execution; and when the exploration starts again, after which all of them come
  // anew.
  std::function<void(const bytecode::RecordedExecution&)> on_execution;
  std::function<void()> on_restart;
};

enum class Outcome { finished, timeout, out_of_memory, interrupted, unsupported, limit };

// Something that keeps an exploration from being complete or possible, with where.
struct Obstacle {
  std::string message;
  std::uint32_t thread = 0;
  bytecode::CodePosition position;
  std::optional<bytecode::CodePosition> other_position;  // e.g. the other access of a mixed-size pair
};

struct LoopBound {
  bytecode::CodePosition position;  // the loop's back edge
  std::uint64_t cuts = 0;  // how often the bound cut an execution
};

// A loop in which threads wait.
struct LoopWait {
  bytecode::CodePosition position;  // of its watch_loop
  std::uint64_t executions = 0;  // in which a thread still waits there at the end
  std::uint64_t undone = 0;      // ... after an iteration that changed memory and changed it back
};

struct ExploreResult {
  Outcome outcome = Outcome::finished;
  std::uint64_t complete = 0;  // executions in which every thread finished
  std::uint64_t blocked = 0;  // executions in which some thread waits for ever
  std::uint64_t futile = 0;  // parts not explored because a thread would wait for ever in all of their executions
  std::uint64_t bounded = 0;  // executions cut by a loop bound
  std::uint64_t dropped = 0;  // executions that the model's late constraints forbid
  std::uint64_t duplicates = 0;  // only with detect_duplicates
  bool unordered_barriers = true;  // as explored: may be off though it was asked for
  bool undone_updates = true, undone_among_others = true;  // likewise
  std::uint64_t events_added = 0, consistency_checks = 0, revisits = 0;
  std::uint64_t thread_runs = 0;  // from one visible action to the next: the only work of the machine
  std::vector<std::string> simplifications;  // what of the model was left out for this program, as sentences
  std::vector<bytecode::Violation> violations;  // errors
  std::vector<bytecode::Violation> warnings;  // leaks
  std::vector<LoopBound> bounds;
  std::vector<LoopWait> loop_waits;
  std::vector<std::vector<std::uint32_t>> parts;  // only with split_depth: paths of what was left out
  std::optional<Obstacle> obstacle;  // with Outcome::unsupported or limit
};

ExploreResult explore(const bytecode::Program& program, const consistency::Model& model, const ExploreOptions& options);

}  // namespace heddle::explore
