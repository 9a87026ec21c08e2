// A relation between n events as n rows of n bits, with the operations of the model language. Plain; what little is
// done for speed keeps executions of thousands of events within seconds. Tested in bit_matrix_test.cpp.
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

  // The work is that of the pairs on the left; a relation with fewer on the right is turned round.
  BitMatrix then(const BitMatrix& other) const {
    if (other.count() * 4 < count()) return other.inverse().after_each(inverse()).inverse();
    return after_each(other);
  }

  BitMatrix inverse() const {
    BitMatrix result(size_);
    for_each([&](std::size_t a, std::size_t b) { result.set(b, a); });
    return result;
  }

  BitMatrix closure() const {  // transitive
    const std::vector<std::size_t> order = topological_order();
    BitMatrix result = *this;
    if (order.size() < size_) {  // there is a cycle: Warshall
      for (std::size_t k = 0; k < size_; ++k) {
        for (std::size_t a = 0; a < size_; ++a) {
          if (result.get(a, k)) result.add_row(a, result, k);
        }
      }
      return result;
    }
    // Last ones first: whoever is reached has its whole row. One that was reached through another adds nothing.
    for (std::size_t i = size_; i-- > 0;) {
      const std::size_t a = order[i];
      BitMatrix reached(1, words_);
      for_each_in_row(a, [&](std::size_t b) {
        if (!reached.get(0, b)) reached.add_row(0, result, b);
      });
      result.add_row(a, reached, 0);
    }
    return result;
  }

  bool acyclic() const { return topological_order().size() == size_; }

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

  std::size_t count() const {
    std::size_t pairs = 0;
    for (std::uint64_t word : bits_) pairs += static_cast<std::size_t>(std::popcount(word));
    return pairs;
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
  BitMatrix(std::size_t rows, std::size_t words) : size_(rows), words_(words), bits_(rows * words) {}

  template <class Use>
  void for_each_in_row(std::size_t a, Use use) const {
    for (std::size_t w = 0; w < words_; ++w) {
      for (std::uint64_t rest = bits_[a * words_ + w]; rest != 0; rest &= rest - 1)
        use(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
    }
  }

  template <class Use>
  void for_each(Use use) const {
    for (std::size_t a = 0; a < size_; ++a) for_each_in_row(a, [&](std::size_t b) { use(a, b); });
  }

  void add_row(std::size_t to, const BitMatrix& other, std::size_t from) {
    for (std::size_t w = 0; w < words_; ++w) bits_[to * words_ + w] |= other.bits_[from * words_ + w];
  }

  BitMatrix after_each(const BitMatrix& other) const {
    BitMatrix result(size_);
    for_each([&](std::size_t a, std::size_t b) { result.add_row(a, other, b); });
    return result;
  }

  // Everyone after who comes before them; without those on a cycle or after one.
  std::vector<std::size_t> topological_order() const {
    std::vector<std::size_t> before(size_), order;
    for_each([&](std::size_t, std::size_t b) { ++before[b]; });
    for (std::size_t a = 0; a < size_; ++a)
      if (before[a] == 0) order.push_back(a);
    for (std::size_t i = 0; i < order.size(); ++i) {
      for_each_in_row(order[i], [&](std::size_t b) {
        if (--before[b] == 0) order.push_back(b);
      });
    }
    return order;
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
