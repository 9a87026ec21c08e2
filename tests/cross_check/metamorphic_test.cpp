// The slice of the metamorphic relations that every build runs; tests/metamorphic runs any amount.
#include "metamorphic.h"

#include <gtest/gtest.h>

namespace heddle::cross_check {
namespace {

#if defined(HEDDLE_PARANOID_CHECKS) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t programs = 4, most_executions = 200;
#else
constexpr std::uint64_t programs = 40, most_executions = 1'000;
#endif

TEST(Metamorphic, RelationsHoldForRandomPrograms) {
  MetamorphicOptions options;
  options.most_executions = most_executions;
  options.variants = 1;
  // Judging executions at their end takes long.
  std::erase(options.models, ReferenceModel::rc11_c11);
  std::uint64_t comparisons = 0;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const MetamorphicResult result = check_relations(metamorphic_program(seed, 12), seed, options);
    comparisons += result.comparisons;
    if (!result.differences.empty()) FAIL() << "seed " << seed << "\n" << result.differences.front();
  }
  EXPECT_GT(comparisons, programs * 50);
}

// More threads than fit into the views that a graph starts with.
TEST(Metamorphic, RelationsHoldForManyThreads) {
  const Result<LitmusProgram> program = parse_program(
      "thread\n  r0 = load x acquire\n  r1 = load y relaxed\n"
      "thread\n  store y 1 relaxed\n  store x 1 release\n",
      "inline");
  ASSERT_TRUE(program) << program.problems()[0].message;
  LitmusProgram wide;
  wide.locations = program->locations;
  for (int i = 0; i < 8; ++i) wide.threads.emplace_back();  // these do nothing
  for (const LitmusThread& thread : program->threads) wide.threads.push_back(thread);
  MetamorphicOptions options;
  options.variants = 2;
  const MetamorphicResult narrow_result = check_relations(*program, 1, options);
  const MetamorphicResult wide_result = check_relations(wide, 1, options);
  EXPECT_TRUE(narrow_result.differences.empty()) << narrow_result.differences.front();
  EXPECT_TRUE(wide_result.differences.empty()) << wide_result.differences.front();
}

}  // namespace
}  // namespace heddle::cross_check
