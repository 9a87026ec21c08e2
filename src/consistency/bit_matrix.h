// A relation between n events as n rows of n bits, with the operations of the model language. Plain and slow.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace heddle::consistency {

class BitMatrix {
 public:
  explicit BitMatrix(std::size_t size) : size_(size), words_((size + 63) / 64), bits_(size_ * words_) {}

  static BitMatrix identity(std::size_t size) {
    BitMatrix result(size);
    for (std::size_t i = 0; i < size; ++i) result.set(i, i);
    return result;
  }

  std::size_t size() const { return size_; }
  bool get(std::size_t a, std::size_t b) const { return bits_[a * words_ + b / 64] >> (b % 64) & 1; }
  void set(std::size_t a, std::size_t b) { bits_[a * words_ + b / 64] |= std::uint64_t{1} << (b % 64); }

  BitMatrix operator|(const BitMatrix& other) const {
    return combine(other, [](auto x, auto y) { return x | y; });
  }
  BitMatrix operator&(const BitMatrix& other) const {
    return combine(other, [](auto x, auto y) { return x & y; });
  }
  BitMatrix operator-(const BitMatrix& other) const {
    return combine(other, [](auto x, auto y) { return x & ~y; });
  }

  BitMatrix then(const BitMatrix& other) const {
    BitMatrix result(size_);
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t v = 0; v < words_; ++v) {
        for (std::uint64_t rest = bits_[a * words_ + v]; rest != 0; rest &= rest - 1) {
          const std::size_t b = v * 64 + static_cast<std::size_t>(std::countr_zero(rest));
          for (std::size_t w = 0; w < words_; ++w) result.bits_[a * words_ + w] |= other.bits_[b * words_ + w];
        }
      }
    }
    return result;
  }

  BitMatrix inverse() const {
    BitMatrix result(size_);
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t b = 0; b < size_; ++b) {
        if (get(a, b)) result.set(b, a);
      }
    }
    return result;
  }

  BitMatrix closure() const {  // transitive (Warshall)
    BitMatrix result = *this;
    for (std::size_t k = 0; k < size_; ++k) {
      for (std::size_t a = 0; a < size_; ++a) {
        if (!result.get(a, k)) continue;
        for (std::size_t w = 0; w < words_; ++w) result.bits_[a * words_ + w] |= result.bits_[k * words_ + w];
      }
    }
    return result;
  }

  bool empty() const {
    for (std::uint64_t word : bits_) {
      if (word != 0) return false;
    }
    return true;
  }

  bool irreflexive() const {
    for (std::size_t i = 0; i < size_; ++i) {
      if (get(i, i)) return false;
    }
    return true;
  }

 private:
  template <class Operation>
  BitMatrix combine(const BitMatrix& other, Operation operation) const {
    BitMatrix result(size_);
    for (std::size_t i = 0; i < bits_.size(); ++i) result.bits_[i] = operation(bits_[i], other.bits_[i]);
    return result;
  }

  std::size_t size_, words_;
  std::vector<std::uint64_t> bits_;
};

}  // namespace heddle::consistency
