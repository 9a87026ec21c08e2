// Every error of the data tests is confirmed, and damaged in any way it is refused; and what a refusal tells.
#include "cli/confirm_errors.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/check.h"
#include "consistency/test_graphs.h"
#include "explore/explorer.h"
#include "frontend/load_program.h"
#include "validate/test_support.h"
#include "validate/validate.h"

namespace heddle::cli {
namespace {

using validate::Validation;

std::vector<std::string> cases_with_errors() {
  std::vector<std::string> files;
  for (const char* folder : {"/tests/cases", "/examples"}) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR) + folder)) {
      std::ifstream stream(entry.path());
      std::stringstream text;
      text << stream.rdbuf();
      const bool is_plain =
          text.str().find("// clang:") == std::string::npos && text.str().find("// files:") == std::string::npos;
      if (entry.path().extension() == ".c" && is_plain && text.str().find(": violated") != std::string::npos)
        files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

TEST(ConfirmErrors, OfTheDataTestsAndNoneOfTheirMutants) {
  const consistency::Model model = consistency::test::load_model("rc11");
  std::map<bytecode::ErrorKind, int> confirmed;
  int refused = 0;
  for (const std::string& file : cases_with_errors()) {
    SCOPED_TRACE(file);
    const auto program = frontend::load_program({.files = {file}});
    if (!program) continue;  // a case about options
    explore::ExploreOptions options;
    options.timeout_seconds = 10;
    const explore::ExploreResult result = explore::explore(*program, model, options);
    for (const bytecode::Violation& violation : result.violations) {
      const Validation original = validate::validate(*program, model, violation, {});
      EXPECT_EQ(original.result, Validation::Result::confirmed) << original.reason;
      ++confirmed[violation.kind];
      const std::vector<validate::Mutant> mutants = validate::Mutator(violation).all();
      // Of long executions a few hundred will do.
      for (std::size_t i = 0; i < mutants.size(); i += 1 + mutants.size() / 500) {
        const Validation validation = validate::validate(*program, model, mutants[i].violation, {});
        EXPECT_EQ(validation.result, Validation::Result::refused) << mutants[i].kind;
        ++refused;
      }
    }
  }
  EXPECT_GE(confirmed.size(), 12u);  // kinds of errors
  EXPECT_GT(refused, 10000);
  RecordProperty("mutants", refused);
}

TEST(ConfirmErrors, ARefusalTellsHowToReproduceIt) {
  report::Setup setup;
  setup.files = {"one.c", "two.c"};
  setup.clang_flags = {"-DN=3"};
  setup.unroll = 4;
  bytecode::Violation error;
  error.kind = bytecode::ErrorKind::race;
  error.message = "data race";
  error.path = {0, 1, 2};
  const std::string text = text_of_refusal(setup, "rc11", error, "event 3 never happens");
  for (const char* part :
       {"race", "event 3 never happens", "model: rc11", "one.c two.c", "-DN=3", "unroll: 4", "path: "})
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(ConfirmErrors, WhatIsNotConfirmedIsAnInternalError) {
  const auto program = frontend::load_program({.files = {std::string(HEDDLE_SOURCE_DIR) + "/examples/spin_lock.c"}});
  ASSERT_TRUE(program);
  const Prepared prepared{consistency::test::load_model("rc11"), *program, 0};
  std::vector<bytecode::Violation> errors = explore::explore(*program, prepared.model, {}).violations;
  ASSERT_EQ(errors.size(), 1u);
  std::vector<std::string> notes;
  confirm_errors(prepared, {}, false, errors, notes);
  EXPECT_TRUE(errors[0].validated);
  EXPECT_TRUE(notes.empty());
  errors[0].execution.events.back().value.low ^= 1;
  EXPECT_THROW(confirm_errors(prepared, {}, false, errors, notes), InternalError);
}

}  // namespace
}  // namespace heddle::cli
