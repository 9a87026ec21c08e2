// A binary relation over at most 32 events as a bit matrix, with the operators the model definitions use. Nothing here
// is clever: the definitions in reference_models.cpp are transcribed operator by operator. Tested through
// oracle_test.cpp.
#pragma once

#include <array>
#include <cstdint>

namespace heddle::cross_check {

inline constexpr int matrix_limit = 32;

using EventSet = std::uint32_t;  // bit i: event i

inline bool contains(EventSet set, int event) { return (set >> event) & 1; }

class Matrix {
 public:
  explicit Matrix(int size) : size_(size) {}

  static Matrix identity(int size, EventSet set) {
    Matrix result(size);
    for (int i = 0; i < size; i++) result.rows_[i] = set & (EventSet{1} << i);
    return result;
  }
  static Matrix product(int size, EventSet from, EventSet to) {
    Matrix result(size);
    for (int i = 0; i < size; i++) result.rows_[i] = contains(from, i) ? to : 0;
    return result;
  }

  void add(int from, int to) { rows_[from] |= EventSet{1} << to; }
  bool has(int from, int to) const { return contains(rows_[from], to); }

  Matrix operator|(const Matrix& other) const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) result.rows_[i] = rows_[i] | other.rows_[i];
    return result;
  }
  Matrix operator&(const Matrix& other) const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) result.rows_[i] = rows_[i] & other.rows_[i];
    return result;
  }
  // Difference.
  Matrix operator-(const Matrix& other) const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) result.rows_[i] = rows_[i] & ~other.rows_[i];
    return result;
  }
  // Composition.
  Matrix operator*(const Matrix& other) const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) {
      for (EventSet rest = rows_[i]; rest != 0; rest &= rest - 1) {
        result.rows_[i] |= other.rows_[__builtin_ctz(rest)];
      }
    }
    return result;
  }

  Matrix inverse() const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) {
      for (int j = 0; j < size_; j++) {
        if (has(i, j)) result.add(j, i);
      }
    }
    return result;
  }
  // r?
  Matrix optional() const { return *this | identity(size_, ~EventSet{0}); }
  // r+
  Matrix closure() const {
    Matrix result = *this;
    for (int via = 0; via < size_; via++) {
      for (int i = 0; i < size_; i++) {
        if (result.has(i, via)) result.rows_[i] |= result.rows_[via];
      }
    }
    return result;
  }
  // [from] ; r ; [to]
  Matrix restricted(EventSet from, EventSet to) const {
    Matrix result(size_);
    for (int i = 0; i < size_; i++) result.rows_[i] = contains(from, i) ? rows_[i] & to : 0;
    return result;
  }

  bool empty() const {
    for (int i = 0; i < size_; i++) {
      if (rows_[i] != 0) return false;
    }
    return true;
  }
  bool irreflexive() const {
    for (int i = 0; i < size_; i++) {
      if (has(i, i)) return false;
    }
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }

 private:
  int size_;
  std::array<EventSet, matrix_limit> rows_{};
};

}  // namespace heddle::cross_check
