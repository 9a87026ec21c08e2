// Which claims follow from which, which models are stronger than which, and which are not, with a graph to show it.
#include "prover/implication.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "prover/print_graph.h"
#include "prover/test_support.h"

namespace heddle::prover::test {
namespace {

relation::ModelFile shipped(const std::string& name) {
  const std::string path = std::string(HEDDLE_SOURCE_DIR) + "/models/" + name + ".kat";
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return model(text.str(), path);
}

std::string describe(const std::vector<Verdict>& verdicts) {
  std::string text;
  for (const Verdict& verdict : verdicts) {
    text += verdict.claim + ": " +
            (verdict.status == Status::proved    ? "proved"
             : verdict.status == Status::refuted ? "refuted"
                                                 : "unknown");
    text += "\n  " + print_word(verdict.word) + "\n";
    if (verdict.graph) text += print_graph(*verdict.graph);
  }
  return text;
}

void expect(const relation::ModelFile& strong, const relation::ModelFile& weak, Status status,
            ProofOptions options = {}) {
  const std::vector<Verdict> verdicts = stronger(strong, weak, options);
  EXPECT_EQ(summary(verdicts), status) << describe(verdicts);
}

void implies(const std::string& strong, const std::string& weak) { expect(model(strong), model(weak), Status::proved); }
void refutes(const std::string& strong, const std::string& weak) {
  expect(model(strong), model(weak), Status::refuted);
}
void equivalent(const std::string& left, const std::string& right) {
  implies(left, right);
  implies(right, left);
}

TEST(Implication, ShippedModels) {
  const char* names[] = {"sc", "tso", "rc11", "ra"};
  const std::string stronger_than[] = {"sc tso rc11 ra", "tso rc11 ra", "rc11 ra", "ra"};
  for (unsigned i = 0; i < 4; ++i) {
    for (const char* weak : names) {
      const bool proved = (" " + stronger_than[i] + " ").find(" " + std::string(weak) + " ") != std::string::npos;
      SCOPED_TRACE(std::string(names[i]) + " stronger than " + weak);
      expect(shipped(names[i]), shipped(weak), proved ? Status::proved : Status::refuted);
    }
  }
}

TEST(Implication, RotationAndRepetition) {
  equivalent("irreflexive po ; fr ; rfe", "irreflexive rfe ; po ; fr");
  implies("irreflexive (po ; fre) ; (po ; fre)", "irreflexive po ; fre");
  implies("irreflexive po ; fre ; po ; fre", "irreflexive fre ; po");
  refutes("irreflexive po ; fre", "irreflexive po ; fre ; po ; fre");
  implies("acyclic po | rf | co | fr", "acyclic po | rfe | co | fre");
}

TEST(Implication, ReleaseAcquireVariants) {
  const std::string ra = "view hb = (po | rf)+\nirreflexive hb ; (co | fr)?";
  const std::string ra2 =
      "let hb2 = ([R] ; po | po ; [W] | [F] ; po | po ; [F] | rfe)+\n"
      "irreflexive hb2 ; (co | fr)?\nirreflexive po ; fr";
  const std::string ra3 = "view hb = (po | rf)+\nirreflexive (co | fr)? ; hb";
  equivalent(ra, ra2);
  equivalent(ra, ra3);
  implies(ra, "irreflexive po ; rf ; co");
  refutes(ra, "acyclic po | rf | co");
}

TEST(Implication, Coherence) {
  const std::string eco = "let eco = rf | (co | fr) ; rf?\n";
  equivalent("acyclic po-loc | rf | co | fr", eco + "irreflexive po ; eco");
  equivalent("acyclic po-loc | rf | co | fr", "view v = (po)+\ncoherence v");
  refutes("irreflexive po ; co", eco + "irreflexive po ; eco");
  refutes("acyclic po-loc | rf | co | fr", "acyclic po | co");
}

TEST(Implication, SequentialConsistencyVariants) {
  const std::string sc = "acyclic po | rf | co | fr";
  equivalent(sc, "acyclic po-imm | rf | co-imm | rf^-1 ; co-imm");
  equivalent(sc, "view hb = (po | rf)+\nirreflexive hb ; fr\nacyclic co | hb ; fr | [F | W] ; hb ; [F | W]");
}

TEST(Implication, TotalStoreOrderVariants) {
  const std::string tso =
      "acyclic [R | F] ; po | po ; [W | F] | rfe | co | fr\n"
      "irreflexive po ; (rf | (co | fr) ; rf?)\n";
  const std::string fm =
      "view hb = (po | rf)+\nirreflexive hb ; fr?\n"
      "acyclic co | [F | W] ; hb ; [F | W] | ([F] | rfe) ; po ; fr";
  implies(tso, fm);
  implies(fm, tso);
  refutes(tso, "acyclic po | rf | co | fr");
}

TEST(Implication, Emptiness) {
  implies("empty rfe ; po", "empty rfe ; po ; [SC] ; rfe");
  implies("empty rfe ; po", "irreflexive rfe ; po ; fre");
  implies("empty fr ; [UW]", "empty rf^-1 ; co ; [UW]");
  refutes("empty rfe ; po ; rfe", "empty rfe ; po");
}

TEST(Implication, Atomicity) {
  implies("view v = (po)+\ncoherence v", "irreflexive rmw ; co^-1 ; fr^-1");
  implies("", "irreflexive fr ; co ; rmw^-1");
  refutes("", "irreflexive fr ; co ; po^-1");
}

TEST(Implication, WithoutCausality) {
  const ProofOptions options{.causal = false};
  const std::string claim = "acyclic po | rf";
  expect(model("acyclic po | rf | co | fr"), model(claim), Status::proved, options);
  const std::string tso = "acyclic [R | F] ; po | po ; [W | F] | rfe | co | fr";
  expect(model(tso), model(claim), Status::refuted, options);  // a thread may read its own later write
  expect(model(tso + "\nirreflexive po ; rf"), model(claim), Status::proved, options);
}

}  // namespace
}  // namespace heddle::prover::test
