// See the header.
#include "explore/thread_history.h"

#include <algorithm>

#include "base/check.h"

namespace heddle::explore {

using machine::AccessKind;
using machine::Action;
using machine::ActionKind;

namespace {

// A remembered start of a thread hangs below its creator's node under an answer that no create action ever gets.
constexpr Value spawned{~std::uint64_t{0}, ~std::uint64_t{0}};

}  // namespace

ThreadHistory::ThreadHistory(machine::Machine& machine, Policy policy, std::uint32_t capacity,
                             std::size_t byte_capacity)
    : machine_(machine), policy_(policy), capacity_(capacity), byte_capacity_(byte_capacity) {}

HistoryNode* ThreadHistory::make() {
  if (free_.empty()) {
    nodes_.push_back(std::make_unique<HistoryNode>());
    free_.push_back(nodes_.back().get());
  }
  HistoryNode* node = free_.back();
  free_.pop_back();
  node->is_free = node->prepared = node->at_end = node->leads_on = false;
  node->values_tried = 0;
  full_ = full_ || size() >= capacity_ || machine_.bytes_in_states() > byte_capacity_;
  return node;
}

HistoryNode* ThreadHistory::start(HistoryNode* creator, std::uint32_t thread, std::uint32_t function,
                                  std::uint64_t argument, bool c11_thread) {
  if (creator != nullptr)
    for (HistoryNode* child = creator->first_child; child != nullptr; child = child->next_sibling)
      if (child->answer == spawned) return child;
  HistoryNode* node = make();
  node->state = machine_.start(thread, function, argument, c11_thread);
  node->action = Action{};
  node->answer = spawned;
  node->thread = thread;
  node->creates = 0;
  node->readiness = Readiness::other;
  node->at_begin = true;
  if (creator != nullptr && policy_.remember) link(*creator, node);
  return node;
}

HistoryNode* ThreadHistory::run(HistoryNode& from, Value answer) {
  if (policy_.runs != nullptr) ++*policy_.runs;
  HistoryNode* node = make();
  node->state = from.state;
  node->answer = answer;
  node->thread = from.thread;
  node->creates = from.creates + (!from.at_begin && from.action.kind == ActionKind::create ? 1 : 0);
  node->at_begin = false;
  impure_ = false;
  if (!from.at_begin) machine_.supply(node->state, answer);
  machine_.run(node->state, node->action);
  node->at_end = ends(node->action);
  node->readiness = readiness_of(*node);
  if (policy_.remember && !impure_) link(from, node);
  return node;
}

Readiness ThreadHistory::readiness_of(const HistoryNode& node) const {
  const Action& action = node.action;
  switch (action.kind) {
    case ActionKind::read:
      if (action.access == AccessKind::lock || action.access == AccessKind::barrier_leave) return Readiness::waits;
      return policy_.writes_first ? Readiness::read : Readiness::other;
    case ActionKind::write: return action.exclusive ? Readiness::at_once : Readiness::other;
    case ActionKind::join:
    case ActionKind::leave: return Readiness::waits;
    case ActionKind::arrive:
    case ActionKind::pass: return Readiness::at_once;
    case ActionKind::finish:
    case ActionKind::exit:
      // The end of the main thread is an event only if somebody joins it: hardly ever, and it would cost every time.
      return node.thread == 0 || !policy_.ends_at_once ? Readiness::ended : Readiness::other;
    case ActionKind::block:
    case ActionKind::bound:
    case ActionKind::spin:
    case ActionKind::round: return Readiness::never;
    default: return Readiness::other;
  }
}

void ThreadHistory::link(HistoryNode& parent, HistoryNode* child) {
  child->next_sibling = parent.first_child;
  parent.first_child = child;
}

void ThreadHistory::collect(const std::vector<HistoryNode*>& in_use) {
  for (HistoryNode* node : in_use) {
    HEDDLE_CHECK(!node->is_free, "somebody refers to a node that was collected");
    node->in_use = true;
  }
  for (const auto& owned : nodes_) {
    HistoryNode* node = owned.get();
    if (node->is_free) continue;
    if (!node->in_use) {
      node->is_free = true;
      node->state = machine::ThreadState{};
      free_.push_back(node);
    }
  }
  std::size_t kept = 0;
  for (const auto& owned : nodes_) {
    HistoryNode* children = owned->is_free ? nullptr : owned->first_child;
    owned->first_child = nullptr;
    if (!owned->is_free) ++kept;
    while (children != nullptr) {
      HistoryNode* child = children;
      children = child->next_sibling;
      child->next_sibling = nullptr;
      if (!child->is_free) link(*owned, child);
    }
  }
  for (HistoryNode* node : in_use) node->in_use = false;
  // Long executions need many nodes at once: leave room, or the next one would be collected for at once.
  capacity_ = std::max(capacity_, 2 * kept);
  byte_capacity_ = std::max(byte_capacity_, 2 * machine_.bytes_in_states());
  full_ = false;
}

}  // namespace heddle::explore
