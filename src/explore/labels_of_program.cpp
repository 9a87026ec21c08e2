// See the header.
#include "explore/labels_of_program.h"

#include <algorithm>

namespace heddle::explore {

using namespace graph;
using machine::AccessKind;
using machine::Action;

namespace {

Labels strength(MemoryOrder order, bool read_side) {
  if (order == MemoryOrder::plain) return label_plain;
  Labels labels = label_atomic;
  if (order == MemoryOrder::seq_cst) labels |= label_sc;
  if (read_side && acquires(order)) labels |= label_acquire;
  if (!read_side && releases(order)) labels |= label_release;
  if ((labels & (label_acquire | label_release)) == 0) labels |= label_relaxed;
  return labels;
}

void add_update(std::vector<Labels>& labels, AccessKind access, MemoryOrder order, MemoryOrder failure) {
  Action action;
  action.access = access;
  action.order = order;
  action.failure_order = failure;
  action.exclusive = true;
  labels.push_back(labels_of_read(action, true));
  if (access == AccessKind::compare_exchange) labels.push_back(labels_of_read(action, false));
  labels.push_back(labels_of_write(action));
}

}  // namespace

Labels labels_of_read(const Action& action, bool writes) {
  const bool fails = !writes && bytecode::may_fail(action.access);
  Labels labels = label_read | strength(fails ? action.failure_order : action.order, true);
  if (action.exclusive) labels |= label_exclusive_read;
  if (writes && action.exclusive) labels |= label_rmw_read;
  if (action.access == AccessKind::lock || action.access == AccessKind::trylock) labels |= label_lock_read;
  return labels;
}

Labels labels_of_write(const Action& action) {
  Labels labels = label_write | strength(action.order, false);
  if (action.exclusive) labels |= label_rmw_write;
  if (action.access == AccessKind::lock || action.access == AccessKind::trylock) labels |= label_lock_write;
  if (action.access == AccessKind::unlock) labels |= label_unlock;
  return labels;
}

Labels labels_of_fence(MemoryOrder order) {
  Labels labels = label_fence;
  if (acquires(order)) labels |= label_acquire;
  if (releases(order)) labels |= label_release;
  if (order == MemoryOrder::seq_cst) labels |= label_sc;
  return labels;
}

std::vector<Labels> labels_of_program(const bytecode::Program& program) {
  using bytecode::LibraryCall;
  using bytecode::Opcode;
  std::vector<Labels> labels = {label_create, label_begin,    label_finish, label_join, label_write | label_initial,
                                label_other,  label_allocate, label_free};
  for (const auto& function : program.functions) {
    for (const auto& instruction : function.code) {
      const auto failure = static_cast<MemoryOrder>(instruction.d);
      switch (instruction.op) {
        case Opcode::load:
        case Opcode::store: {
          if (instruction.order == MemoryOrder::plain) break;
          Action action;
          action.order = instruction.order;
          labels.push_back(instruction.op == Opcode::load ? labels_of_read(action, false) : labels_of_write(action));
          break;
        }
        case Opcode::read_modify_write:
          add_update(labels, AccessKind::rmw, instruction.order, MemoryOrder::plain);
          break;
        case Opcode::compare_exchange:
          add_update(labels, AccessKind::compare_exchange, instruction.order, failure);
          break;
        case Opcode::fence: labels.push_back(labels_of_fence(instruction.order)); break;
        default: break;
      }
    }
  }
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  return labels;
}

}  // namespace heddle::explore
