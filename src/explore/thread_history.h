// What a thread does is determined by the answers it got: the values it read, the choices it made. So the states a
// thread parks in form a tree, with an edge per answer, and executions that agree on a thread's answers share a path.
//
// Going back to an event is taking its node. Going on with an answer that the tree remembers costs a look-up; only a
// new answer runs the machine. The tree is bounded: when it is full it forgets everything that no event refers to, so
// memory does not grow with the number of executions. Tested in thread_history_test.cpp, and switched off by
// ExploreOptions::remember_threads in the cross-check.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/event.h"
#include "machine/machine.h"

namespace heddle::explore {

// What the scheduler has to know of a thread's next action.
enum class Readiness : std::uint8_t {
  absent,     // there is no such thread at the moment
  ended,
  never,      // blocked for good
  waits,      // may or may not go on: the graph tells
  read,       // anything that reads and does not wait
  other,
  at_once,    // the second half of something: the write of a read-modify-write, arriving at a barrier, passing it
};

struct HistoryNode {
  machine::ThreadState state;      // parked at `action`, or not yet run (at_begin)
  machine::Action action;
  Value answer;                    // that led here
  // The event that the action becomes, as far as it does not depend on the graph; see Search::prepare.
  graph::Event event;
  graph::Labels labels_if_it_writes = 0;  // of the read half of a read-modify-write that goes on to write
  std::uint32_t thread = 0;
  std::uint32_t values_tried = 0;  // see undone.cpp
  std::uint32_t creates = 0;       // threads created so far: with the thread's id it names the next child
  Readiness readiness = Readiness::other;
  bool at_begin = false;
  bool at_end = false;             // parked at its end
  bool leads_on = false;           // a join after which the thread has done more than join others and end
  bool prepared = false;           // `event` is filled in
  bool in_use = false;             // while collecting
  bool is_free = false;
  HistoryNode* first_child = nullptr;   // remembered continuations
  HistoryNode* next_sibling = nullptr;
};

class ThreadHistory {
 public:
  struct Policy {
    bool remember = true, writes_first = true;
    bool ends_at_once = true;  // the end of a thread is an action like others; else it is left to whoever needs it
    std::uint64_t* runs = nullptr;  // counts how often a thread is run
  };
  ThreadHistory(machine::Machine& machine, Policy policy, std::uint32_t capacity = 4096,
                std::size_t byte_capacity = std::size_t{24} << 20);
  ThreadHistory(const ThreadHistory&) = delete;
  ThreadHistory& operator=(const ThreadHistory&) = delete;

  // The beginning of a thread that `creator` (a node parked at a create action) starts, or of the main thread (null).
  HistoryNode* start(HistoryNode* creator, std::uint32_t thread, std::uint32_t function, std::uint64_t argument,
                     bool c11_thread);
  // Where the thread is parked next, given the answer to the action of `from`.
  HistoryNode* next(HistoryNode& from, Value answer) {
    for (HistoryNode* child = from.first_child; child != nullptr; child = child->next_sibling)
      if (child->answer == answer) return child;
    return run(from, answer);
  }

  // The same, but null if that cannot be remembered: it could be different next time.
  HistoryNode* remembered_next(HistoryNode& from, Value answer) {
    for (HistoryNode* child = from.first_child; child != nullptr; child = child->next_sibling)
      if (child->answer == answer) return child;
    HistoryNode* child = run(from, answer);
    return from.first_child == child ? child : nullptr;
  }

  // Called by the machine's user when a run depended on more than its answers: that run is not remembered.
  void run_was_impure() { impure_ = true; }

  // Nodes stay until `collect` is called with every node that somebody still refers to; do so when it is full.
  bool full() const { return full_; }
  void collect(const std::vector<HistoryNode*>& in_use);
  std::size_t size() const { return nodes_.size() - free_.size(); }

 private:
  HistoryNode* make();
  HistoryNode* run(HistoryNode& from, Value answer);
  void link(HistoryNode& parent, HistoryNode* child);
  Readiness readiness_of(const HistoryNode& node) const;

  machine::Machine& machine_;
  Policy policy_;
  std::size_t capacity_, byte_capacity_;
  bool impure_ = false, full_ = false;
  std::vector<std::unique_ptr<HistoryNode>> nodes_;
  std::vector<HistoryNode*> free_;
};

// Does the thread wait in a loop? (Who is left at a round does.)
inline bool waits_in_loop(const machine::Action& action) {
  return action.kind == machine::ActionKind::spin || action.kind == machine::ActionKind::round;
}

inline bool ends(const machine::Action& action) {
  return action.kind == machine::ActionKind::finish || action.kind == machine::ActionKind::exit;
}

}  // namespace heddle::explore
