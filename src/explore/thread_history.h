// What a thread does is determined by the answers it got: the values it read, the choices it made. So the states a
// thread parks in form a tree, with an edge per answer, and executions that agree on a thread's answers share a path.
//
// Going back to an event is taking its node. Going on with an answer that the tree remembers costs a look-up; only a
// new answer runs the machine. The tree is bounded: when it is full it forgets everything that no event holds, so
// memory does not grow with the number of executions. Tested in thread_history_test.cpp, and switched off by
// ExploreOptions::remember_threads in the cross-check.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "machine/machine.h"

namespace heddle::explore {

// What the scheduler has to know of a thread's next action.
enum class Readiness : std::uint8_t {
  never,      // blocked for good
  waits,      // may or may not go on: the graph tells
  read,       // anything that reads and does not wait
  other,
  at_once,    // the write half of a read-modify-write
};

class ThreadHistory;

struct HistoryNode {
  ThreadHistory* owner = nullptr;
  machine::ThreadState state;      // parked at `action`, or not yet run (at_begin)
  machine::Action action;
  Value answer;                    // that led here
  std::uint32_t references = 0;
  std::uint32_t creates = 0;       // threads created so far: with the thread's id it names the next child
  std::uint32_t parent_index = 0;  // in ThreadHistory::parents_, if it has children
  Readiness readiness = Readiness::other;
  bool at_begin = false;
  HistoryNode* first_child = nullptr;   // remembered continuations; each holds a reference
  HistoryNode* next_sibling = nullptr;
};

// A counted reference to a node.
class HistoryRef;

class ThreadHistory {
 public:
  ThreadHistory(machine::Machine& machine, bool remember, bool writes_first, std::uint32_t capacity = 4096,
                std::size_t byte_capacity = std::size_t{24} << 20);
  ~ThreadHistory();
  ThreadHistory(const ThreadHistory&) = delete;
  ThreadHistory& operator=(const ThreadHistory&) = delete;

  // The beginning of a thread that `creator` (a node parked at a create action) starts, or of the main thread (null).
  HistoryRef start(HistoryNode* creator, std::uint32_t thread, std::uint32_t function, std::uint64_t argument,
                   bool c11_thread);
  // Where the thread is parked next, given the answer to the action of `from`.
  HistoryRef next(HistoryNode& from, Value answer);

  // Called by the machine's user when a run depended on more than its answers: that run is not remembered.
  void run_was_impure() { impure_ = true; }
  std::uint32_t remembered() const { return remembered_; }

  void destroy(HistoryNode* node);  // for HistoryRef: nobody refers to it any more

 private:
  HistoryNode* make();
  void link(HistoryNode& parent, HistoryNode* child);
  void drop_children(HistoryNode& node);
  void forget_everything();
  Readiness readiness_of(const machine::Action& action) const;

  machine::Machine& machine_;
  bool remember_, writes_first_;
  std::uint32_t capacity_, remembered_ = 0;
  std::size_t byte_capacity_;
  bool impure_ = false;
  std::vector<HistoryNode*> parents_;  // nodes with children
  std::vector<HistoryNode*> free_;
  std::vector<HistoryNode*> doomed_;
  bool destroying_ = false;
};

class HistoryRef {
 public:
  HistoryRef() = default;
  explicit HistoryRef(HistoryNode* node) : node_(node) { ++node->references; }
  HistoryRef(const HistoryRef& other) : node_(other.node_) {
    if (node_ != nullptr) ++node_->references;
  }
  HistoryRef(HistoryRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  HistoryRef& operator=(const HistoryRef& other) {
    if (other.node_ != nullptr) ++other.node_->references;
    release(std::exchange(node_, other.node_));
    return *this;
  }
  HistoryRef& operator=(HistoryRef&& other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~HistoryRef() { release(node_); }

  HistoryNode* operator->() const { return node_; }
  HistoryNode& operator*() const { return *node_; }
  HistoryNode* get() const { return node_; }

 private:
  static void release(HistoryNode* node) {
    if (node != nullptr && --node->references == 0) node->owner->destroy(node);
  }

  HistoryNode* node_ = nullptr;
};

inline bool ends(const machine::Action& action) {
  return action.kind == machine::ActionKind::finish || action.kind == machine::ActionKind::exit;
}

}  // namespace heddle::explore
