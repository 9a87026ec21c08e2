// A slice for every build; spin_loops_main.cpp runs any number.
#include "spin_loops.h"

#include <gtest/gtest.h>

namespace heddle::cross_check {
namespace {

TEST(SpinLoops, SameStatesAndErrorsWithAndWithoutWaiting) {
#if defined(HEDDLE_PARANOID_CHECKS) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  constexpr std::uint64_t programs = 60;
#else
  constexpr std::uint64_t programs = 400;
#endif
  std::uint64_t compared = 0, waited = 0, pruned = 0, undone = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    for (const ReferenceModel model : {ReferenceModel::sc, ReferenceModel::tso, ReferenceModel::rc11}) {
      const SpinComparison result = compare_spinning(seed, model, 2000);
      EXPECT_EQ(result.difference, "");
      compared += !result.left_out;
      waited += !result.left_out && result.waited;
      pruned += !result.left_out && result.pruned;
      undone += !result.left_out && result.undone;
    }
  }
  EXPECT_GT(compared, 2 * programs);  // else the programs are too large to say anything
  EXPECT_GT(waited, programs / 4);
  EXPECT_GT(pruned, programs / 20);
  EXPECT_GT(undone, programs / 50);
}

}  // namespace
}  // namespace heddle::cross_check
