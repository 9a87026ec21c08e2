// See the header.
#include "explore/thread_history.h"

#include "base/check.h"

namespace heddle::explore {

using machine::AccessKind;
using machine::Action;
using machine::ActionKind;

namespace {

// A remembered start of a thread hangs below its creator's node under an answer that no create action ever gets.
constexpr Value spawned{~std::uint64_t{0}, ~std::uint64_t{0}};

}  // namespace

ThreadHistory::ThreadHistory(machine::Machine& machine, bool remember, bool writes_first, std::uint32_t capacity,
                             std::size_t byte_capacity)
    : machine_(machine),
      remember_(remember),
      writes_first_(writes_first),
      capacity_(capacity),
      byte_capacity_(byte_capacity) {}

ThreadHistory::~ThreadHistory() {
  forget_everything();
  for (HistoryNode* node : free_) delete node;
}

HistoryNode* ThreadHistory::make() {
  if (free_.empty()) {
    HistoryNode* node = new HistoryNode;
    node->owner = this;
    return node;
  }
  HistoryNode* node = free_.back();
  free_.pop_back();
  return node;
}

HistoryRef ThreadHistory::start(HistoryNode* creator, std::uint32_t thread, std::uint32_t function,
                                std::uint64_t argument, bool c11_thread) {
  if (creator != nullptr)
    for (HistoryNode* child = creator->first_child; child != nullptr; child = child->next_sibling)
      if (child->answer == spawned) return HistoryRef(child);
  HistoryNode* node = make();
  node->state = machine_.start(thread, function, argument, c11_thread);
  node->action = Action{};
  node->answer = spawned;
  node->creates = 0;
  node->readiness = Readiness::other;
  node->at_begin = true;
  HistoryRef result(node);
  if (creator != nullptr && remember_) link(*creator, node);
  return result;
}

HistoryRef ThreadHistory::next(HistoryNode& from, Value answer) {
  for (HistoryNode* child = from.first_child; child != nullptr; child = child->next_sibling)
    if (child->answer == answer) return HistoryRef(child);
  HistoryNode* node = make();
  node->state = from.state;
  node->answer = answer;
  node->creates = from.creates + (!from.at_begin && from.action.kind == ActionKind::create ? 1 : 0);
  node->at_begin = false;
  HistoryRef result(node);
  impure_ = false;
  if (!from.at_begin) machine_.supply(node->state, answer);
  machine_.run(node->state, node->action);
  node->readiness = readiness_of(node->action);
  if (remember_ && !impure_) link(from, node);
  return result;
}

Readiness ThreadHistory::readiness_of(const Action& action) const {
  switch (action.kind) {
    case ActionKind::read:
      if (action.access == AccessKind::lock || action.access == AccessKind::barrier_leave) return Readiness::waits;
      return writes_first_ ? Readiness::read : Readiness::other;
    case ActionKind::write: return action.exclusive ? Readiness::at_once : Readiness::other;
    case ActionKind::join: return Readiness::waits;
    case ActionKind::block:
    case ActionKind::bound: return Readiness::never;
    default: return Readiness::other;
  }
}

void ThreadHistory::link(HistoryNode& parent, HistoryNode* child) {
  if (remembered_ >= capacity_ || machine_.bytes_in_states() > byte_capacity_) forget_everything();
  ++remembered_;
  ++child->references;
  child->next_sibling = parent.first_child;
  if (parent.first_child == nullptr) {
    parent.parent_index = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(&parent);
  }
  parent.first_child = child;
}

void ThreadHistory::drop_children(HistoryNode& node) {
  if (node.first_child == nullptr) return;
  HistoryNode* last = parents_.back();
  parents_[node.parent_index] = last;
  last->parent_index = node.parent_index;
  parents_.pop_back();
  HistoryNode* child = std::exchange(node.first_child, nullptr);
  while (child != nullptr) {
    HistoryNode* sibling = std::exchange(child->next_sibling, nullptr);
    --remembered_;
    if (--child->references == 0) destroy(child);
    child = sibling;
  }
}

// Chains of nodes are as long as executions: no recursion.
void ThreadHistory::destroy(HistoryNode* node) {
  doomed_.push_back(node);
  if (destroying_) return;
  destroying_ = true;
  while (!doomed_.empty()) {
    HistoryNode* dead = doomed_.back();
    doomed_.pop_back();
    drop_children(*dead);
    dead->state = machine::ThreadState{};
    free_.push_back(dead);
  }
  destroying_ = false;
}

void ThreadHistory::forget_everything() {
  while (!parents_.empty()) drop_children(*parents_.back());
}

}  // namespace heddle::explore
