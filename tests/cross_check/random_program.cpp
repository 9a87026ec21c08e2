// See random_program.h. One program has one flavour (plain accesses or not, one strong order preferred or not, a mutex
// or not), chosen first; then operations are dealt to threads until the event budget is spent.
#include "random_generator.h"

namespace heddle::cross_check {

namespace {

constexpr std::array update_orders{MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::release,
                                   MemoryOrder::acquire_release, MemoryOrder::seq_cst};
constexpr std::array fence_orders{MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acquire_release,
                                  MemoryOrder::seq_cst, MemoryOrder::seq_cst};

}  // namespace

LitmusProgram Generator::generate() {
  const int threads = 2 + random_.below(options_.thread_limit - 1);
  const int locations = 1 + random_.below(options_.location_limit);
  if (options_.feature == Feature::array || (options_.feature == Feature::mixed && random_.one_in(4))) declare_array();
  const char* names[] = {"x", "y", "z", "w", "u", "v"};
  for (int i = 0; i < locations; i++) program_.locations.push_back(names[i]);
  program_.threads.resize(static_cast<std::size_t>(threads));
  registers_.assign(static_cast<std::size_t>(threads), 0);
  with_plain_ = options_.allow_plain && random_.one_in(4);
  mostly_seq_cst_ = random_.one_in(4);
  mostly_relaxed_ = !mostly_seq_cst_ && random_.one_in(4);
  budget_ = options_.event_limit;
  if (options_.feature != Feature::basic) {
    add_feature(options_.feature);
  } else if (options_.allow_locks && random_.one_in(8)) {
    add_locked_sections();
  }
  // Every thread gets something to do, then the rest goes anywhere.
  for (std::size_t i = 0; i < program_.threads.size(); i++) {
    if (program_.threads[i].empty()) add_operation(i);
  }
  for (int attempts = 0; attempts < 3 * options_.event_limit && budget_ > 0; attempts++) {
    add_operation(static_cast<std::size_t>(random_.below(threads)));
  }
  return program_;
}

void Generator::append(std::size_t thread, const Operation& operation) {
  if (count_events(operation) > budget_) return;
  budget_ -= count_events(operation);
  program_.threads[thread].push_back(operation);
  if (writes_register(operation.kind) && operation.target != no_register) registers_[thread]++;
}

void Generator::add_locked_sections() {
  program_.mutexes.push_back("m");
  if (budget_ >= 12 && random_.one_in(2)) {
    add_nested_sections();
    return;
  }
  const bool forgets = random_.one_in(6);  // the first thread never unlocks: a deadlock
  for (std::size_t thread = 0; thread < 2 && budget_ >= 4; thread++) {
    budget_ -= 3;
    Operation lock{.kind = OperationKind::lock, .order = MemoryOrder::acquire};
    program_.threads[thread].push_back(lock);
    append(thread, random_access(thread));
    if (forgets && thread == 0) continue;
    Operation unlock{.kind = OperationKind::unlock, .order = MemoryOrder::release};
    program_.threads[thread].push_back(unlock);
  }
}

// Two threads that take two mutexes, in the same order or crosswise.
void Generator::add_nested_sections() {
  program_.mutexes.push_back("n");
  const bool crosswise = random_.one_in(2);
  for (int thread = 0; thread < 2; thread++) {
    const int outer = crosswise ? thread : 0;
    const auto add = [&](OperationKind kind, int mutex, MemoryOrder order) {
      program_.threads[static_cast<std::size_t>(thread)].push_back({.kind = kind, .location = mutex, .order = order});
    };
    add(OperationKind::lock, outer, MemoryOrder::acquire);
    add(OperationKind::lock, 1 - outer, MemoryOrder::acquire);
    add(OperationKind::unlock, 1 - outer, MemoryOrder::release);
    add(OperationKind::unlock, outer, MemoryOrder::release);
    budget_ -= 6;
  }
}

void Generator::add_operation(std::size_t thread) {
  if (registers_[thread] > 0 && random_.one_in(6)) {
    Operation skip{.kind = OperationKind::skip_if_equal};
    skip.operand.source = random_.below(registers_[thread]);
    skip.expected = random_.below(3);
    skip.skip = 1 + random_.below(2);
    append(thread, skip);
    append(thread, random_access(thread));
  } else if (random_.one_in(7)) {
    append(thread, {.kind = OperationKind::fence, .order = random_.pick(fence_orders)});
  } else {
    append(thread, random_access(thread));
  }
}

Operand Generator::random_operand(std::size_t thread) {
  // Registers may hold pointers, which are not for calculating.
  if (pointers_ < 0 && registers_[thread] > 0 && random_.one_in(4)) {
    return {random_.below(registers_[thread]), random_.below(2)};
  }
  return {no_register, 1 + random_.below(3)};
}

Operation Generator::random_access(std::size_t thread) {
  Operation operation;
  operation.location = random_.below(pointers_ < 0 ? static_cast<int>(program_.locations.size()) : pointers_);
  operation.target = registers_[thread] % register_limit;
  const int kind = random_.below(16);
  if (kind < 6) {
    operation.kind = OperationKind::load;
    operation.order = access_order(read_orders);
  } else if (kind < 12) {
    operation.kind = OperationKind::store;
    operation.operand = random_operand(thread);
    operation.order = access_order(write_orders);
  } else if (kind < 14) {
    operation.kind = kind == 12 ? OperationKind::fetch_add : OperationKind::exchange;
    operation.operand = random_operand(thread);
    // Adding one value read to another doubles the reference's value domain; only small programs can afford that.
    if (kind == 12 && options_.event_limit > 8) operation.operand = {no_register, 1 + random_.below(3)};
    operation.order = flavoured(update_orders);
  } else {
    operation.kind = OperationKind::compare_exchange;
    operation.expected = random_.below(3);
    operation.desired = 1 + random_.below(3);
    operation.order = flavoured(update_orders);
    operation.failure_order = flavoured(read_orders);
  }
  return operation;
}

LitmusProgram random_program(std::uint64_t seed, const RandomProgramOptions& options) {
  return Generator(seed, options).generate();
}

}  // namespace heddle::cross_check
