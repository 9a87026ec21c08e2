// The slice of the cross-check that every build runs: random programs, all small programs, and every program that ever
// failed (regressions/*.litmus-text). The command cross_check runs any amount of the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "compare.h"
#include "random_program.h"
#include "families.h"

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
  for (std::uint64_t seed = 1; seed <= 170; seed += every_nth) {
    const LitmusProgram program = random_program(seed, {.feature = GetParam()});
    if (compare(program, every_model, {.settings = Settings::three}).empty()) continue;
    FAIL() << "seed " << seed << "\n" << explain_failure(program, every_model, {.settings = Settings::three});
  }
}

// The basic ones are above.
INSTANTIATE_TEST_SUITE_P(EveryFeature, RandomFeatures,
                         testing::ValuesIn(std::begin(all_features) + 1, std::end(all_features)),
                         [](const auto& parameter) { return name_of(parameter.param); });

// A fixed slice of every family; tests/exhaustive runs all of them.
TEST(SmallPrograms, ToolAgreesWithReferenceOnASlice) {
  const Result<std::vector<Family>> families = all_families(HEDDLE_MODELS_DIR);
  ASSERT_TRUE(families);
  for (const Family& family : *families) {
    if (family.is_huge) continue;  // counting through them takes too long
    const SmallPrograms programs = family.programs();
    std::size_t compared = 0;
    const std::uint64_t parts = std::max<std::uint64_t>(1, programs.count() / 150 * every_nth);
    programs.for_each({0, parts}, [&](std::uint64_t number, const LitmusProgram& program) {
      compared++;
      const ComparisonOptions options{.settings = Settings::two, .turn = number};
      if (compare(program, family.models, options).empty()) return true;
      ADD_FAILURE() << family.name << " " << number << "\n" << explain_failure(program, family.models, options);
      return false;
    });
    EXPECT_GT(compared * every_nth, 40u) << family.name;
  }
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
