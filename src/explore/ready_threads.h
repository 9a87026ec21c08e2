// Which threads could go on, as sets of bits, so that picking the next one does not look at all of them.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "explore/thread_history.h"

namespace heddle::explore {

class ReadyThreads {
 public:
  void add_thread() {
    if (++threads_ > 64 * words_) {
      ++words_;
      for (auto& set : sets_) set.resize(words_);
    }
  }

  void change(std::uint32_t thread, Readiness from, Readiness to) {
    const std::uint64_t bit = std::uint64_t{1} << (thread & 63);
    sets_[static_cast<unsigned>(from)][thread >> 6] &= ~bit;
    sets_[static_cast<unsigned>(to)][thread >> 6] |= bit;
  }

  // The write half of a read-modify-write; else the first thread that is not about to read and, if it waits, is
  // `enabled`; else the first one that is.
  template <class Enabled>
  std::optional<std::uint32_t> next(Enabled&& enabled) const {
    if (const auto t = first(Readiness::at_once)) return t;
    for (unsigned word = 0; word < words_; ++word) {
      const std::uint64_t other = set(Readiness::other)[word];
      for (std::uint64_t left = other | set(Readiness::waits)[word]; left != 0; left &= left - 1) {
        const std::uint32_t t = 64 * word + static_cast<unsigned>(std::countr_zero(left));
        if ((other & (left & -left)) != 0 || enabled(t)) return t;
      }
    }
    return first(Readiness::read);
  }

 private:
  const std::vector<std::uint64_t>& set(Readiness readiness) const { return sets_[static_cast<unsigned>(readiness)]; }
  std::optional<std::uint32_t> first(Readiness readiness) const {
    for (unsigned word = 0; word < words_; ++word)
      if (const std::uint64_t bits = set(readiness)[word])
        return 64 * word + static_cast<unsigned>(std::countr_zero(bits));
    return std::nullopt;
  }

  unsigned threads_ = 0, words_ = 0;
  std::vector<std::uint64_t> sets_[5];
};

}  // namespace heddle::explore
