// What random_program.cpp (the basic operations) and random_features.cpp (everything else) share.
#pragma once

#include <array>

#include "random_program.h"

namespace heddle::cross_check {

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

class Generator {
 public:
  Generator(std::uint64_t seed, const RandomProgramOptions& options) : random_(seed), options_(options) {}

  LitmusProgram generate();

 private:
  // random_program.cpp
  void append(std::size_t thread, const Operation& operation);
  int new_register(std::size_t thread) const { return registers_[thread] % register_limit; }
  void add_locked_sections();
  void add_nested_sections();
  void add_operation(std::size_t thread);
  Operand random_operand(std::size_t thread);
  Operation random_access(std::size_t thread);
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

  // random_features.cpp
  void add_feature(Feature feature);
  void add_filler(std::size_t thread);
  void add_trylock_sections();
  void add_section(std::size_t thread, int mutex, bool only_tries, bool forgets);
  void add_barriers();
  void add_objects();
  void add_object_uses(std::size_t thread, int pointer, int uses, bool frees);
  void add_choices();
  void add_assumptions();
  void add_created_threads();
  void add_release_sequence();
  void add_loops();
  void add_loop(std::size_t thread);
  void declare_array();
  void add_elements();
  void append_repeated(std::size_t thread, const Operation& operation, int times);
  bool affords(int events) const { return budget_ >= events; }

  Random random_;
  const RandomProgramOptions& options_;
  LitmusProgram program_;
  std::vector<int> registers_;  // per thread: how many registers it has filled
  int budget_ = 0;
  int pointers_ = -1;  // the location that holds pointers, if there is one; it comes last
  bool with_plain_ = false, mostly_seq_cst_ = false, mostly_relaxed_ = false;
};

inline constexpr std::array read_orders{MemoryOrder::relaxed, MemoryOrder::acquire, MemoryOrder::seq_cst};
inline constexpr std::array write_orders{MemoryOrder::relaxed, MemoryOrder::release, MemoryOrder::seq_cst};

}  // namespace heddle::cross_check
