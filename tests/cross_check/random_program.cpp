// See random_program.h. One program has one flavour (plain accesses or not, one strong order preferred or not, a mutex
// or not), chosen first; then operations are dealt to threads until the event budget is spent.
#include "random_program.h"

#include <array>

namespace heddle::cross_check {

namespace {

// splitmix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
  bool one_in(int n) { return below(n) == 0; }
  template <std::size_t n>
  MemoryOrder pick(const std::array<MemoryOrder, n>& orders) {
    return orders[static_cast<std::size_t>(below(static_cast<int>(n)))];
  }

 private:
  std::uint64_t state_;
};

constexpr std::array read_orders{MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::seq_cst};
constexpr std::array write_orders{MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::seq_cst};
constexpr std::array update_orders{MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::release,
                                   MemoryOrder::acquire_release, MemoryOrder::seq_cst};
constexpr std::array fence_orders{MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acquire_release,
                                  MemoryOrder::seq_cst, MemoryOrder::seq_cst};

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProgramOptions& options) : random_(seed), options_(options) {}

  LitmusProgram generate() {
    const int threads = 2 + random_.below(options_.thread_limit - 1);
    const int locations = 1 + random_.below(options_.location_limit);
    const char* names[] = {"x", "y", "z", "w", "u", "v"};
    for (int i = 0; i < locations; i++) program_.locations.push_back(names[i]);
    program_.threads.resize(static_cast<std::size_t>(threads));
    registers_.assign(static_cast<std::size_t>(threads), 0);
    with_plain_ = options_.allow_plain && random_.one_in(4);
    mostly_seq_cst_ = random_.one_in(4);
    mostly_relaxed_ = !mostly_seq_cst_ && random_.one_in(4);
    budget_ = options_.event_limit;
    if (options_.allow_locks && random_.one_in(8)) add_locked_sections();
    // Every thread gets something to do, then the rest goes anywhere.
    for (std::size_t i = 0; i < program_.threads.size(); i++) {
      if (program_.threads[i].empty()) add_operation(i);
    }
    for (int attempts = 0; attempts < 3 * options_.event_limit && budget_ > 0; attempts++) {
      add_operation(static_cast<std::size_t>(random_.below(threads)));
    }
    return program_;
  }

 private:
  void append(std::size_t thread, const Operation& operation) {
    if (count_events(operation) > budget_) return;
    budget_ -= count_events(operation);
    program_.threads[thread].push_back(operation);
    if (writes_register(operation.kind)) registers_[thread]++;
  }

  void add_locked_sections() {
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
  void add_nested_sections() {
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

  void add_operation(std::size_t thread) {
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

  Operand random_operand(std::size_t thread) {
    if (registers_[thread] > 0 && random_.one_in(4)) {
      return {random_.below(registers_[thread]), random_.below(2)};
    }
    return {no_register, 1 + random_.below(3)};
  }

  Operation random_access(std::size_t thread) {
    Operation operation;
    operation.location = random_.below(static_cast<int>(program_.locations.size()));
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

  template <std::size_t n>
  MemoryOrder flavoured(const std::array<MemoryOrder, n>& orders) {
    if (mostly_seq_cst_ && !random_.one_in(4)) return MemoryOrder::seq_cst;
    if (mostly_relaxed_ && !random_.one_in(4)) return MemoryOrder::relaxed;
    return random_.pick(orders);
  }

  template <std::size_t n>
  MemoryOrder access_order(const std::array<MemoryOrder, n>& orders) {
    if (with_plain_ && random_.one_in(4)) return MemoryOrder::plain;
    return flavoured(orders);
  }

  Random random_;
  const RandomProgramOptions& options_;
  LitmusProgram program_;
  std::vector<int> registers_;  // per thread: how many registers it has filled
  int budget_ = 0;
  bool with_plain_ = false, mostly_seq_cst_ = false, mostly_relaxed_ = false;
};

}  // namespace

LitmusProgram random_program(std::uint64_t seed, const RandomProgramOptions& options) {
  return Generator(seed, options).generate();
}

}  // namespace heddle::cross_check
