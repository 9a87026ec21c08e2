// The table-driven checker, specialised and not, with and without its cycle filter, against the full evaluation of the
// model, on random graphs (test_support.h).
#include "consistency/test_support.h"

namespace heddle::consistency::test {
namespace {

constexpr unsigned graphs = 150;

TEST(RandomGraphs, SequentialConsistency) { explore(load_model("sc"), graphs); }
TEST(RandomGraphs, TotalStoreOrder) { explore(load_model("tso"), graphs); }
TEST(RandomGraphs, ReleaseAcquire) { explore(load_model("ra"), graphs); }
TEST(RandomGraphs, Rc11) { explore(load_model("rc11"), graphs); }

class OddModels : public ::testing::TestWithParam<OddModel> {};
TEST_P(OddModels, AgreeOnRandomGraphs) { explore_odd(GetParam()); }
INSTANTIATE_TEST_SUITE_P(RandomGraphs, OddModels, ::testing::ValuesIn(odd_models()),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RandomGraphs, ViewsThatGrowAlongProgramOrder) { explore_growing_views(); }

// The type checker turns some intersections and differences into ordinary expressions (relation/filter.h). `f ; id` is
// not recognised as a filter: written like that, they are evaluated by their definitions.
TEST(RandomGraphs, FiltersMeanWhatTheySay) {
  const char* const relations[] = {"po",    "po-imm",  "po-loc",     "rf",     "rfe",    "rfi", "co", "coe",
                                   "coi",   "fr",      "fre",        "fri",    "rmw",    "tc",  "tj", "loc",
                                   "int",   "ext",     "hb",         "co-imm", "fr-imm", "[R]", "id", "rf^-1",
                                   "hb^-1", "po | hb", "rf | fr^-1", "hb?",    "po ; rf"};
  const char* const filters[] = {"loc", "int", "ext", "id", "(R * W)", "((R | F) * _)"};
  std::string text = "let sw = [REL] ; rf ; [ACQ]\nview hb = (po | sw | tc | tj)+\n";
  for (const std::string relation : relations) {
    for (const std::string filter : filters) {
      const std::string both = "(" + relation + ") & " + filter,
                        slow_both = "(" + relation + ") & (" + filter + " ; id)";
      const std::string rest = "(" + relation + ") \\ " + filter,
                        slow_rest = "(" + relation + ") \\ (" + filter + " ; id)";
      for (const auto& [a, b] : {std::pair(both, slow_both), std::pair(rest, slow_rest)})
        text += "empty (" + a + ") \\ (" + b + ") empty (" + b + ") \\ (" + a + ")\n";
    }
  }
  text +=
      "empty [UR] \\ [dom(rmw)] empty [dom(rmw)] \\ [UR] empty [rng(rmw)] \\ [UW] empty [UW] \\ [rng(rmw)]\n"
      "empty _ * _ \\ (int | ext) empty (int & ext) | (int \\ int^-1) empty int \\ (po | po^-1 | id)\n";
  const Result<Model> laws = Model::parse(text, "laws.kat");
  ASSERT_TRUE(laws) << laws.problems()[0].message;
  EXPECT_GT(laws->compiled().late_constraints.size(), 300u);
  const Model model = load_model("rc11");
  for (unsigned seed = 1; seed <= 10; ++seed) {
    RandomGraph random(model, seed);
    random.run(26);
    std::string broken;
    EXPECT_TRUE(random.satisfies(*laws, broken)) << broken;
  }
}

// A late constraint is evaluated on the whole graph, and only there.
TEST(RandomGraphs, LateConstraintsAreEvaluated) {
  const Result<Model> model = Model::parse(
      "irreflexive (rf ; po) & (co ; rf) ; fr\nempty rf & (co ; rf)\n"
      "empty (rf ; rf^-1) & co",
      "late.kat");
  const Result<Model> never = Model::parse("empty rf & (id ; rf)", "never.kat");
  ASSERT_TRUE(model && never);
  EXPECT_EQ(model->compiled().late_constraints.size(), 3u);
  EXPECT_TRUE(model->has_late_parts());
  EXPECT_FALSE(load_model("rc11").has_late_parts());
  unsigned refused = 0;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Model sc = load_model("sc");
    RandomGraph random(sc, seed);
    random.run(26);
    std::string broken;
    EXPECT_TRUE(random.satisfies(*model, broken)) << broken;
    if (!random.satisfies(*never, broken)) ++refused;
  }
  EXPECT_GT(refused, 10u);
}

}  // namespace
}  // namespace heddle::consistency::test
