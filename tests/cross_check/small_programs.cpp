// See small_programs.h. A program is a sequence of menu numbers; of the sequences that exchanging threads or locations
// turns into each other only the smallest is kept.
#include "small_programs.h"

#include <algorithm>

namespace heddle::cross_check {

namespace {

constexpr int location_count = 2;

// The menu. Operation i on location x stands beside the same on location y: i ^ 1 exchanges the locations; the fence,
// which has no location, comes last.
std::vector<Operation> menu_of(const SmallProgramOptions& options) {
  std::vector<Operation> menu;
  const auto add = [&](OperationKind kind, MemoryOrder order) {
    for (int location = 0; location < location_count; location++) {
      Operation operation{.kind = kind, .location = location};
      operation.order = order;
      operation.expected = 0;
      menu.push_back(operation);
    }
  };
  add(OperationKind::load, MemoryOrder::relaxed);
  add(OperationKind::load, MemoryOrder::seq_cst);
  add(OperationKind::store, MemoryOrder::relaxed);
  add(OperationKind::store, MemoryOrder::seq_cst);
  add(OperationKind::fetch_add, MemoryOrder::relaxed);
  add(OperationKind::fetch_add, MemoryOrder::acquire_release);
  if (options.more_orders) {
    add(OperationKind::load, MemoryOrder::acquire);
    add(OperationKind::store, MemoryOrder::release);
    add(OperationKind::fetch_add, MemoryOrder::seq_cst);
    add(OperationKind::compare_exchange, MemoryOrder::acquire_release);
  }
  menu.push_back({.kind = OperationKind::fence, .order = MemoryOrder::seq_cst});
  return menu;
}

using Choice = std::vector<std::size_t>;

bool is_smallest_of_its_kind(const Choice& choice, std::size_t fence) {
  Choice other_threads = choice;
  std::rotate(other_threads.begin(), other_threads.begin() + static_cast<std::ptrdiff_t>(choice.size() / 2),
              other_threads.end());
  Choice other_locations = choice, both = other_threads;
  for (Choice* variant : {&other_locations, &both}) {
    for (std::size_t& entry : *variant) entry = entry == fence ? entry : entry ^ 1;
  }
  return choice <= other_threads && choice <= other_locations && choice <= both;
}

LitmusProgram build(const Choice& choice, const std::vector<Operation>& menu) {
  LitmusProgram program;
  program.locations = {"x", "y"};
  program.threads.resize(2);
  for (std::size_t i = 0; i < choice.size(); i++) {
    LitmusThread& thread = program.threads[i * 2 / choice.size()];
    Operation operation = menu[choice[i]];
    operation.target = static_cast<int>(thread.size());
    // Distinct powers of two: sums of distinct fetch_adds are distinct as well.
    operation.operand.constant = 1 << i;
    operation.desired = 1 << i;
    thread.push_back(operation);
  }
  return program;
}

}  // namespace

std::size_t for_each_small_program(const SmallProgramOptions& options,
                                   const std::function<bool(const LitmusProgram&)>& visit) {
  const std::vector<Operation> menu = menu_of(options);
  const std::size_t fence = menu.size() - 1;
  Choice choice(static_cast<std::size_t>(2 * options.length), 0);
  std::size_t visited = 0;
  while (true) {
    if (is_smallest_of_its_kind(choice, fence)) {
      visited++;
      if (!visit(build(choice, menu))) return visited;
    }
    std::size_t digit = choice.size();
    while (digit > 0 && choice[digit - 1] == menu.size() - 1) choice[--digit] = 0;
    if (digit == 0) return visited;
    choice[digit - 1]++;
  }
}

}  // namespace heddle::cross_check
