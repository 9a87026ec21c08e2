// Errors of small programs are confirmed; damaged in any of some forty ways, they are refused. The programs of
// tests/cases are treated likewise in cli/confirm_errors_test.cpp.
#include <gtest/gtest.h>

#include <map>

#include "consistency/test_graphs.h"
#include "explore/explorer.h"
#include "validate/example_programs.h"
#include "validate/test_support.h"
#include "validate/validate.h"

namespace heddle::validate {
namespace {

TEST(Mutations, EveryMutantIsRefused) {
  std::map<std::string, int> refused;
  int total = 0;
  for (const ExampleProgram& example : example_programs()) {
    for (const std::string model_name : {"rc11", "sc", "tso"}) {
      if (example.only_in_weak_models && model_name != "rc11") continue;
      SCOPED_TRACE(example.name + " in " + model_name);
      const consistency::Model model = consistency::test::load_model(model_name);
      explore::ExploreOptions options;
      options.keep_going = true;
      const explore::ExploreResult result = explore::explore(example.program, model, options);
      ASSERT_FALSE(result.violations.empty());
      EXPECT_EQ(result.violations[0].kind, example.error);
      for (const bytecode::Violation& violation : result.violations) {
        const Validation original = validate(example.program, model, violation, {});
        ASSERT_EQ(original.result, Validation::Result::confirmed) << original.reason;
        for (const Mutant& mutant : Mutator(violation).all()) {
          const Validation validation = validate(example.program, model, mutant.violation, {});
          EXPECT_EQ(validation.result, Validation::Result::refused) << mutant.kind;
          EXPECT_NE(validation.reason, "");
          ++refused[mutant.kind];
          ++total;
        }
      }
    }
  }
  for (const auto& [kind, count] : refused) EXPECT_GT(count, 0) << kind;
  EXPECT_GE(refused.size(), 35u);  // kinds of damage
  EXPECT_GT(total, 5000);
  RecordProperty("mutants", total);
  RecordProperty("kinds", static_cast<int>(refused.size()));
}

}  // namespace
}  // namespace heddle::validate
