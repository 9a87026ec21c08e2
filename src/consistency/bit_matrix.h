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
    for_each([&](std::size_t a, std::size_t b) {
      for (std::size_t w = 0; w < words_; ++w) result.bits_[a * words_ + w] |= other.bits_[b * words_ + w];
    });
    return result;
  }

  BitMatrix inverse() const {
    BitMatrix result(size_);
    for_each([&](std::size_t a, std::size_t b) { result.set(b, a); });
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

  void keep_rows(const std::vector<bool>& kept) {
    for (std::size_t a = 0; a < size_; ++a) {
      for (std::size_t w = 0; !kept[a] && w < words_; ++w) bits_[a * words_ + w] = 0;
    }
  }

  void keep_columns(const std::vector<bool>& kept) {
    std::vector<std::uint64_t> mask(words_);
    for (std::size_t b = 0; b < size_; ++b) mask[b / 64] |= std::uint64_t{kept[b]} << (b % 64);
    for (std::size_t i = 0; i < bits_.size(); ++i) bits_[i] &= mask[i % words_];
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
  template <class Use>
  void for_each(Use use) const {
    for (std::size_t i = 0; i < bits_.size(); ++i) {
      for (std::uint64_t rest = bits_[i]; rest != 0; rest &= rest - 1) {
        use(i / words_, i % words_ * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }

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
