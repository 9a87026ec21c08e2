// The slice of the cross-check that every build runs: random programs, all small programs, and every program that ever
// failed (regressions/*.litmus-text). The command cross_check runs any amount of the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compare.h"
#include "random_program.h"
#include "small_programs.h"

namespace heddle::cross_check {
namespace {

const std::vector<ReferenceModel> every_model(std::begin(all_models), std::end(all_models));

// With every invariant re-checked after every step, or under a sanitizer, a sample has to do; the release build runs
// all.
#if defined(HEDDLE_PARANOID_CHECKS) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::uint64_t every_nth = 16;
#else
constexpr std::uint64_t every_nth = 1;
#endif

class RandomPrograms : public testing::TestWithParam<ReferenceModel> {};

TEST_P(RandomPrograms, ToolAgreesWithReference) {
  // Judging executions at their end takes long.
  const std::uint64_t step = std::string(name_of(GetParam())) == "rc11-c11" ? 10 * every_nth : every_nth;
  for (std::uint64_t seed = 1; seed <= 300; seed += step) {
    const LitmusProgram program = random_program(seed, {});
    const ComparisonOptions options{.compiled = seed % 10 == 0};
    if (compare(program, {GetParam()}, options).empty()) continue;
    FAIL() << "seed " << seed << "\n" << explain_failure(program, {GetParam()}, options);
  }
}

INSTANTIATE_TEST_SUITE_P(EveryModel, RandomPrograms, testing::ValuesIn(all_models),
                         [](const auto& parameter) {
                           std::string name = name_of(parameter.param);
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

class RandomFeatures : public testing::TestWithParam<Feature> {};

TEST_P(RandomFeatures, ToolAgreesWithReference) {
  for (std::uint64_t seed = 1; seed <= 150; seed += every_nth) {
    const LitmusProgram program = random_program(seed, {.feature = GetParam()});
    if (compare(program, every_model, {.each_switch = false}).empty()) continue;
    FAIL() << "seed " << seed << "\n" << explain_failure(program, every_model, {.each_switch = false});
  }
}

// The basic ones are above.
INSTANTIATE_TEST_SUITE_P(EveryFeature, RandomFeatures,
                         testing::ValuesIn(std::begin(all_features) + 1, std::end(all_features)),
                         [](const auto& parameter) { return name_of(parameter.param); });

TEST(SmallPrograms, ToolAgreesWithReferenceOnAll) {
  std::string failure;
  std::size_t number = 0;
  const std::size_t visited = for_each_small_program({}, [&](const LitmusProgram& program) {
    if (number++ % every_nth != 0) return true;
    if (compare(program, every_model, {.each_switch = false}).empty()) return true;
    failure = explain_failure(program, every_model, {.each_switch = false});
    return false;
  });
  EXPECT_EQ(failure, "");
  EXPECT_GT(visited, 5000u);
}

TEST(Regressions, ToolAgreesWithReference) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(HEDDLE_REGRESSIONS_DIR)) {
    if (entry.path().extension() == ".litmus-text") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file);
    std::stringstream text;
    text << stream.rdbuf();
    const Result<LitmusProgram> program = parse_program(text.str(), file.string());
    ASSERT_TRUE(program) << file << ": " << program.problems()[0].message;
    for (const std::string& difference : compare(*program, every_model)) ADD_FAILURE() << file << "\n" << difference;
  }
}

}  // namespace
}  // namespace heddle::cross_check
