// Which threads could go on, as sets of bits, so that picking the next one does not look at all of them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/thread_history.h"

namespace heddle::explore {

class ReadyThreads {
 public:
  void add_thread() {
    if (++threads_ > 64 * blocks_.size()) blocks_.emplace_back();
  }

  void change(std::uint32_t thread, Readiness from, Readiness to) {
    Block& block = blocks_[thread >> 6];
    const std::uint64_t bit = std::uint64_t{1} << (thread & 63);
    block[static_cast<unsigned>(from)] &= ~bit;
    block[static_cast<unsigned>(to)] |= bit;
  }

  bool none(Readiness readiness) const {
    for (const Block& block : blocks_)
      if (block[static_cast<unsigned>(readiness)] != 0) return false;
    return true;
  }
  bool none_but_first(Readiness readiness) const {
    for (std::uint64_t others = ~std::uint64_t{1}; const Block& block : blocks_) {
      if ((block[static_cast<unsigned>(readiness)] & others) != 0) return false;
      others = ~std::uint64_t{0};
    }
    return true;
  }

  // The write half of a read-modify-write; else the first thread that is not about to read and does not wait; else the
  // first one that waits and is `enabled`; else the first one that is about to read.
  template <class Enabled>
  std::optional<std::uint32_t> next(Enabled&& enabled) const {
    if (blocks_.size() == 1) {  // the usual case, without loops
      const Block& block = blocks_[0];
      if (const std::uint64_t bits = block[static_cast<unsigned>(Readiness::at_once)]) return std::countr_zero(bits);
      if (const std::uint64_t bits = block[static_cast<unsigned>(Readiness::other)]) return std::countr_zero(bits);
    } else {
      if (const auto t = first(Readiness::at_once)) return t;
      if (const auto t = first(Readiness::other)) return t;
    }
    for (std::uint32_t base = 0; const Block& block : blocks_) {
      for (std::uint64_t left = block[static_cast<unsigned>(Readiness::waits)]; left != 0; left &= left - 1) {
        const std::uint32_t t = base + static_cast<unsigned>(std::countr_zero(left));
        if (enabled(t)) return t;
      }
      base += 64;
    }
    return first(Readiness::read);
  }

 private:
  using Block = std::array<std::uint64_t, 8>;  // of 64 threads: by readiness; 8 for cheap indexing

  std::optional<std::uint32_t> first(Readiness readiness) const {
    for (std::uint32_t base = 0; const Block& block : blocks_) {
      if (const std::uint64_t bits = block[static_cast<unsigned>(readiness)])
        return base + static_cast<unsigned>(std::countr_zero(bits));
      base += 64;
    }
    return std::nullopt;
  }

  std::size_t threads_ = 0;
  std::vector<Block> blocks_;
};

}  // namespace heddle::explore
