// Compiled code against the tables and the full evaluation of the model, on random graphs (test_support.h): for every
// model of models/ and for odd ones, specialised and not, with and without the cycle filter.
#include <deque>
#include <filesystem>

#include "consistency/native/compile_object.h"
#include "consistency/native/generator.h"
#include "consistency/test_support.h"

namespace heddle::consistency::test {
namespace {

std::vector<FurtherChecker> compiled() {
  static native::Generator generator(nullptr);
  // Every graph has labels of its own: code fitted to them is made only for some, because making it takes long.
  const auto with = [](bool specialise, bool filter) {
    return [=, graphs = 0](const Model& model, ExecutionGraph& graph,
                           std::vector<Labels> labels) mutable -> std::unique_ptr<Checker> {
      if (specialise && graphs++ % 4 != (filter ? 0 : 2)) return nullptr;
      if (!specialise) labels.clear();
      return std::make_unique<Checker>(model, graph, labels, filter, NativeOptions{&generator, 0});
    };
  };
  const auto without_searches = [](const Model& model, ExecutionGraph& graph, const std::vector<Labels>&) {
    static native::Generator never_with(nullptr);
    return std::make_unique<Checker>(model, graph, std::vector<Labels>{}, true,
                                     NativeOptions{&never_with, 0, 1u << 30});
  };
  // With a generator of its own, so that it finds nothing that is made already.
  const auto adding_searches = [graphs = 0](const Model& model, ExecutionGraph& graph,
                                            const std::vector<Labels>&) mutable -> std::unique_ptr<Checker> {
    static std::deque<native::Generator> generators;
    if (graphs++ % 10 != 5) return nullptr;
    return std::make_unique<Checker>(model, graph, std::vector<Labels>{}, true,
                                     NativeOptions{&generators.emplace_back(nullptr), 40, 2});
  };
  return {{"compiled, without searches", without_searches},
          {"compiled after some work, then with searches", adding_searches},
          {"compiled", with(true, true)},
          {"compiled, no filter", with(true, false)},
          {"compiled, general", with(false, true)},
          {"compiled, general, no filter", with(false, false)}};
}

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(HEDDLE_SOURCE_DIR "/models"))
    if (file.path().extension() == ".kat") names.push_back(file.path().stem());
  // Late constraints are not the checkers' business.
  std::erase_if(names, [](const std::string& name) { return load_model(name).has_late_parts(); });
  std::sort(names.begin(), names.end());
  return names;
}

class CompiledModels : public ::testing::TestWithParam<std::string> {};
TEST_P(CompiledModels, AgreeOnRandomGraphs) { explore(load_model(GetParam()), 30, compiled()); }
INSTANTIATE_TEST_SUITE_P(NativeCode, CompiledModels, ::testing::ValuesIn(model_names()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

class CompiledOddModels : public ::testing::TestWithParam<OddModel> {};
TEST_P(CompiledOddModels, AgreeOnRandomGraphs) { explore_odd(GetParam(), compiled()); }
INSTANTIATE_TEST_SUITE_P(NativeCode, CompiledOddModels, ::testing::ValuesIn(odd_models()),
                         [](const auto& test) { return std::string(test.param.name); });

// The name of a processor promises what a virtual machine may not have: code must not rely on it.
// A virtual machine may hide what processors of its name have.
TEST(NativeCode, TheTargetIsALevelThatTheMachineHas) {
#if defined(__x86_64__)
  const std::string target = native::describe_target();
  EXPECT_NE(target.find("x86-64"), std::string::npos) << target;
  EXPECT_EQ(target.find("x86-64-v4"), std::string::npos) << target;
  if (!__builtin_cpu_supports("avx2")) {
    EXPECT_EQ(target.find("x86-64-v3"), std::string::npos) << target;
  }
  if (!__builtin_cpu_supports("sse4.2")) {
    EXPECT_EQ(target.find("x86-64-v2"), std::string::npos) << target;
  }
#endif
}

}  // namespace
}  // namespace heddle::consistency::test
