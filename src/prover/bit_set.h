// A set of small numbers of fixed capacity, as words; ordered so that it can be a key.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::prover {

class BitSet {
 public:
  BitSet() = default;
  explicit BitSet(std::size_t capacity) : words_((capacity + 63) / 64) {}

  void add(std::size_t i) { words_[i / 64] |= std::uint64_t{1} << i % 64; }
  bool contains(std::size_t i) const { return words_[i / 64] >> i % 64 & 1; }
  bool subset_of(const BitSet& other) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      if (words_[w] & ~other.words_[w]) return false;
    }
    return true;
  }

  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t rest = words_[w]; rest != 0; rest &= rest - 1) visit(w * 64 + std::countr_zero(rest));
    }
  }

  friend bool operator==(const BitSet&, const BitSet&) = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace heddle::prover
