// Every operation against its definition, on random relations of sizes around the width of a word, sparse and dense.
#include "consistency/bit_matrix.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace heddle::consistency {
namespace {

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

Pairs pairs_of(const BitMatrix& matrix) {
  Pairs pairs;
  for (std::size_t a = 0; a < matrix.size(); ++a)
    for (std::size_t b = 0; b < matrix.size(); ++b)
      if (matrix.get(a, b)) pairs.insert({a, b});
  return pairs;
}

Pairs composed(const Pairs& first, const Pairs& second) {
  Pairs result;
  for (const auto& [a, b] : first)
    for (auto it = second.lower_bound({b, 0}); it != second.end() && it->first == b; ++it)
      result.insert({a, it->second});
  return result;
}

Pairs closure_of(Pairs pairs) {
  for (std::size_t before = 0; before != pairs.size();) {
    before = pairs.size();
    const Pairs longer = composed(pairs, pairs);
    pairs.insert(longer.begin(), longer.end());
  }
  return pairs;
}

class RandomMatrices : public ::testing::Test {
 protected:
  BitMatrix make(std::size_t size, unsigned pairs, bool forward) {
    BitMatrix matrix(size);
    for (unsigned i = 0; i < pairs; ++i) {
      std::size_t a = random_() % size, b = random_() % size;
      if (forward && a >= b) std::swap(a, b);
      if (!forward || a != b) matrix.set(permuted(a, size), permuted(b, size));
    }
    return matrix;
  }

 private:
  // So that an order of events is not the order of their numbers.
  static std::size_t permuted(std::size_t a, std::size_t size) { return (a * 31 + 7) % size; }
  std::mt19937 random_{17};
};

TEST_F(RandomMatrices, OperationsAreWhatTheyAreDefinedToBe) {
  int cyclic = 0, acyclic = 0;
  for (const std::size_t size : {1u, 5u, 32u, 63u, 64u, 65u, 70u}) {
    for (const unsigned pairs : {0u, 3u, 40u, 400u}) {
      for (const bool forward : {false, true}) {
        const BitMatrix a = make(size, pairs, forward), b = make(size, pairs / 10 + 2, false);
        const Pairs left = pairs_of(a), right = pairs_of(b);
        EXPECT_EQ(a.count(), left.size());
        EXPECT_EQ(pairs_of(a.then(b)), composed(left, right));
        EXPECT_EQ(pairs_of(b.then(a)), composed(right, left));
        const Pairs closed = closure_of(left);
        EXPECT_EQ(pairs_of(a.closure()), closed);
        bool loops = false;
        for (const auto& [x, y] : closed) loops = loops || x == y;
        EXPECT_EQ(a.acyclic(), !loops);
        ++(loops ? cyclic : acyclic);
        Pairs turned;
        for (const auto& [x, y] : left) turned.insert({y, x});
        EXPECT_EQ(pairs_of(a.inverse()), turned);
      }
    }
  }
  EXPECT_GT(cyclic, 5);
  EXPECT_GT(acyclic, 5);
}

TEST_F(RandomMatrices, RowsAndColumnsAreKept) {
  const BitMatrix a = make(70, 300, false);
  std::vector<bool> kept(70);
  for (std::size_t i = 0; i < 70; i += 3) kept[i] = true;
  BitMatrix rows = a, columns = a;
  rows.keep_rows(kept);
  columns.keep_columns(kept);
  for (const auto& [x, y] : pairs_of(a)) {
    EXPECT_EQ(rows.get(x, y), kept[x]);
    EXPECT_EQ(columns.get(x, y), kept[y]);
  }
  EXPECT_LT(rows.count(), a.count());
  EXPECT_LT(columns.count(), a.count());
}

}  // namespace
}  // namespace heddle::consistency
