// The order of the shipped models, and what the prover is given for models with late constraints.
#include "cli/model_strength.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>

namespace heddle::cli {
namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream stream(path);
  if (!stream) return std::nullopt;
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

relation::ModelFile model_of(const std::string& text, const std::string& path = "test.kat") {
  Diagnostics problems;
  relation::ModelFile model = relation::read_model(text, path, read_file, problems);
  EXPECT_TRUE(problems.empty()) << problems[0].message;
  return model;
}

StrengthOrder order_of(const std::vector<std::string>& texts) {
  std::vector<relation::ModelFile> models;
  for (const std::string& text : texts) models.push_back(model_of(text));
  return {models, StrengthOrder::Effort::little};
}

TEST(ModelStrength, ShippedModels) {
  const std::vector<std::string> names = {"sc",   "tso",       "pso",      "ra",         "sra",
                                          "rc11", "rc11-2017", "rc11-c11", "rc11-strong"};
  std::vector<relation::ModelFile> models;
  for (const std::string& name : names) {
    const std::string path = HEDDLE_SOURCE_DIR "/models/" + name + ".kat";
    models.push_back(model_of(read_file(path).value_or(""), path));
  }
  const StrengthOrder order(models, StrengthOrder::Effort::little);
  // Proved; and true but too long for little effort.
  const std::map<std::string, std::string> proved = {{"sc", "tso pso ra sra rc11 rc11-2017 rc11-c11 rc11-strong "},
                                                     {"tso", "pso ra rc11 rc11-2017 "},
                                                     {"pso", "ra rc11 rc11-2017 "},
                                                     {"ra", ""},
                                                     {"sra", "ra "},
                                                     {"rc11", "ra "},
                                                     {"rc11-2017", "ra rc11 "},
                                                     {"rc11-c11", "ra rc11 "},
                                                     {"rc11-strong", "ra rc11 "}};
  const std::map<std::string, std::string> open = {
      {"tso", "sra rc11-c11 "}, {"pso", "rc11-c11 "}, {"rc11-2017", "rc11-c11 "}, {"rc11-c11", "rc11-2017 "}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string found, left;
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (i != j && order.proved(i, j)) found += names[j] + " ";
      if (order.status(i, j) == prover::Status::unknown) left += names[j] + " ";
    }
    EXPECT_EQ(found, proved.at(names[i])) << names[i];
    EXPECT_EQ(left, open.contains(names[i]) ? open.at(names[i]) : "") << names[i];
  }
}

TEST(ModelStrength, OnlyTheNextOnesAreListed) {
  const StrengthOrder order = order_of({"acyclic po | rf | co | fr", "acyclic po | rf | co", "acyclic po | rf"});
  EXPECT_EQ(order.next_weaker(0), std::vector<std::size_t>{1});
  EXPECT_EQ(order.next_weaker(1), std::vector<std::size_t>{2});
  EXPECT_TRUE(order.proved(0, 2) && order.refuted(2, 0) && order.next_weaker(2).empty());
}

TEST(ModelStrength, EquivalentModels) {
  const StrengthOrder order = order_of({"acyclic po | rf | co", "acyclic rf | co | po", "acyclic po | rf"});
  EXPECT_TRUE(order.equivalent(0, 1));
  EXPECT_EQ(order.next_weaker(0), std::vector<std::size_t>{2});
  EXPECT_EQ(order.next_weaker(1), std::vector<std::size_t>{2});
}

// a & b and a \ b are parts of a; a constraint on the part says nothing about the whole.
TEST(ModelStrength, LateConstraints) {
  const StrengthOrder order =
      order_of({"acyclic po | rf | co", "acyclic po | rf acyclic po | co & (rf ; rf^-1)", "acyclic po | rf"});
  EXPECT_TRUE(order.proved(0, 1));
  EXPECT_TRUE(order.proved(1, 2));
  EXPECT_FALSE(order.proved(1, 0));
  EXPECT_FALSE(order.proved(2, 1));
}

// The same text about a smaller relation, also inside `& loc`.
TEST(ModelStrength, PartsThatGrow) {
  const std::string axiom = " irreflexive (hb & loc) ; fr acyclic po | rf";
  const StrengthOrder order = order_of({"view hb = (po | rf)+" + axiom, "view hb = (po | [REL] ; rf)+" + axiom});
  EXPECT_TRUE(order.proved(0, 1));
  EXPECT_FALSE(order.proved(1, 0));
}

}  // namespace
}  // namespace heddle::cli
