// The shipped models are admitted, and quickly; the models of tests/kat/admission are refused with the message that
// their second line expects: `// expect LINE: part of the message`, line 0 if it is about the whole file.
#include "prover/admission.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "consistency/compiled_model.h"
#include "consistency/model.h"
#include "prover/test_support.h"

namespace heddle::prover::test {
namespace {

std::string read(const std::filesystem::path& path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> result;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(HEDDLE_SOURCE_DIR) + "/" + folder)) {
    if (entry.path().extension() == ".kat") result.push_back(entry.path());
  }
  std::sort(result.begin(), result.end());
  return result;
}

std::string describe(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) {
    text += problem.file + ":" + std::to_string(problem.line) + ": " + problem.message + "\n  " + problem.hint + "\n";
  }
  return text;
}

TEST(Admission, ShippedModels) {
  const auto files = files_in("models");
  EXPECT_GE(files.size(), 4u);
  for (const auto& path : files) {
    const auto loaded = consistency::Model::load(path.string());
    ASSERT_TRUE(loaded) << path;
    // Explored is only what can be decided before an execution ends.
    const relation::ModelFile file = loaded->compiled().ordinary_part();
    const auto begin = std::chrono::steady_clock::now();
    const std::vector<Obligation> obligations = admit(file);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
    EXPECT_TRUE(objections(obligations).empty()) << describe(objections(obligations));
    EXPECT_LT(time.count(), 1.0) << path;  // far more than needed: tests run on busy machines
  }
}

TEST(Admission, DataFiles) {
  const auto files = files_in("tests/kat/admission");
  EXPECT_GE(files.size(), 12u);
  for (const auto& path : files) {
    SCOPED_TRACE(path.filename().string());
    const std::string text = read(path);
    const Diagnostics problems = objections(admit(model(text, path.string())));
    const std::size_t at = text.find("// expect ");
    if (at == std::string::npos) {
      EXPECT_TRUE(path.filename().string().starts_with("good_"));
      EXPECT_TRUE(problems.empty()) << describe(problems);
      continue;
    }
    const std::size_t colon = text.find(": ", at), end = text.find('\n', at);
    const unsigned line = static_cast<unsigned>(std::stoul(text.substr(at + 10)));
    const std::string expected = text.substr(colon + 2, end - colon - 2);
    EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& problem) {
      return problem.line == line && problem.message.find(expected) != std::string::npos;
    })) << describe(problems);
  }
}

bool failed(const std::vector<Obligation>& obligations, ObligationKind kind, const std::string& word) {
  return std::any_of(obligations.begin(), obligations.end(), [&](const Obligation& obligation) {
    return obligation.kind == kind && obligation.status == ObligationStatus::failed &&
           print_word(obligation.word) == word;
  });
}

TEST(Admission, CausalOrderWithinItsBounds) {
  const relation::ModelFile sc = model("view hb = (po | rf | tc | tj)+\ncoherence hb");
  using enum ObligationKind;
  EXPECT_TRUE(objections(admit(sc, expression("(po | rfe | tc | tj)+"))).empty());  // rfi is inside po
  EXPECT_TRUE(failed(admit(sc, expression("(po | rf | tj)+")), causal_order, "TC -tc-> TB"));
  EXPECT_TRUE(failed(admit(sc, expression("(po | rf | tc | tj | co)+")), causal_order, "W -coe-> W"));
}

TEST(Admission, ViewsInsideTheCausalOrder) {
  using enum ObligationKind;
  // Program order is not causal here: a dependency-tracking causal order that keeps only what leads to writes.
  const relation::ModelFile file = model("view hb = (po | rf | tc | tj)+\ncoherence hb");
  EXPECT_TRUE(failed(admit(file, expression("(po ; [W] | rf | tc | tj)+")), saved_relation, "R -po-loc-> R"));
  // The file format keeps such views out; the prover does not rely on it.
  relation::ModelFile backwards = file;
  backwards.views[0].step = expression("po | rf^-1");
  EXPECT_TRUE(failed(admit(backwards), saved_relation, "R -rfe^-1-> W"));
  backwards.views[0].step = expression("po | co");
  EXPECT_TRUE(failed(admit(backwards), saved_relation, "W -coe-> W"));
}

TEST(Admission, RulesNeedStableOrders) {
  relation::ModelFile file = model(
      "view hb = (po | rf | tc | tj)+\nview late = (po | rf)+\ncoherence hb\n"
      "error race unless [W] ; loc ; [W] <= late");
  EXPECT_TRUE(objections(admit(file)).empty());
  file.views[1].step = expression("po | fr");
  EXPECT_TRUE(failed(admit(file), ObligationKind::rule, "R -fre-> W"));
}

TEST(Admission, Extensibility) {
  const auto check = [](const std::string& constraint) {
    const auto obligations = admit(model("view hb = (po | rf | tc | tj)+\ncoherence hb\n" + constraint));
    for (const Obligation& obligation : obligations) {
      if (obligation.kind == ObligationKind::extension && obligation.status != ObligationStatus::proved)
        return obligation.status == ObligationStatus::failed ? print_word(obligation.word) : std::string("unknown");
    }
    return std::string("proved");
  };
  EXPECT_EQ(check("acyclic po | rf | co | fr"), "proved");
  EXPECT_EQ(check("irreflexive po ; rf^-1 ; co"), "proved");      // the last write has no successor
  EXPECT_EQ(check("irreflexive co ; rf ; rf^-1"), "proved");      // co is irreflexive
  EXPECT_EQ(check("acyclic po | co | rf ; rf^-1 ; co"), "proved");  // the new read changes nothing
  EXPECT_EQ(check("irreflexive rmw ; po^-1 ; fr"), "proved");
  EXPECT_EQ(check("irreflexive rf ; rf^-1"), "W -rfe-> new R -rfe^-1-> W (the first event again)");
  EXPECT_EQ(check("irreflexive loc"), "new R -loc-> new R (the first event again)");
  EXPECT_EQ(check("acyclic po | rf^-1"), "W -po-loc-> new R -rfi^-1-> W (the first event again)");
  EXPECT_EQ(check("irreflexive po ; rf^-1 ; co?"), "W -po-loc-> new R -rfi^-1-> W (the first event again)");
  EXPECT_EQ(check("irreflexive [SC] | po"), "new R & SC");
}

}  // namespace
}  // namespace heddle::prover::test
