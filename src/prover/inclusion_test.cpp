// The identities of the thesis, chapter 3, and others that are known to hold or not to hold in every graph.
#include "prover/inclusion.h"

#include <gtest/gtest.h>

#include "prover/test_support.h"

namespace heddle::prover::test {
namespace {

InclusionResult ask(const std::string& left, const std::string& right, Theory theory = {}) {
  return included(*expression(left), *expression(right), theory);
}

void holds(const std::string& left, const std::string& right, Theory theory = {}) {
  const InclusionResult result = ask(left, right, theory);
  EXPECT_EQ(result.answer, Answer::yes) << left << " <= " << right << ": " << print_word(result.word);
}

void equal(const std::string& left, const std::string& right, Theory theory = {}) {
  holds(left, right, theory);
  holds(right, left, theory);
}

void fails(const std::string& left, const std::string& right, const std::string& word) {
  const InclusionResult result = ask(left, right);
  EXPECT_EQ(result.answer, Answer::no) << left << " <= " << right;
  EXPECT_EQ(print_word(result.word), word) << left << " <= " << right;
}

const std::string eco = "rf | (co | fr) ; rf?";

TEST(Inclusion, ExtendedCoherence) {
  equal("(rf | co | fr)+", eco);
  equal("(rf | co | rf^-1 ; co)+", "rf | (co | rf^-1 ; co) ; rf?");
  fails("(rf | co | fr)+", "rf | co | fr", "R -fre-> W -rfe-> R");
  fails(eco, "co | fr | rf ; fr", "W -rfe-> R");
}

TEST(Inclusion, ReadsFromAndFromRead) {
  equal("fr", "rf^-1 ; co");
  holds("rf ; rf^-1 ; co", "co");
  holds("rf ; rf^-1", "[W]");
  holds("co ; rf ; rf^-1 ; co", "co");
  fails("rf^-1 ; rf", "[R]", "R -rfe^-1-> W -rfe-> R");
  holds("fr ; co", "fr");
  holds("rf ; fr", "co");
  holds("rf ; fr ; rf ; fr", "co");
  holds("(rf ; fr)^-1", "co^-1");
  holds("fr^-1", "co^-1 ; rf");
  equal("rf", "rfe | rfi");
  equal("fr", "fre | fri");
  equal("co", "coe | coi");
  fails("rf ; fr", "fr", "W -rfe-> R -fre-> W");
  fails("co", "coe", "W -coi-> W");
}

TEST(Inclusion, ProgramOrder) {
  holds("po ; po", "po");
  holds("rfi", "po");
  holds("rfi ; po", "po & loc | po \\ loc");
  holds("rmw", "po-imm");
  holds("rmw", "po & loc");
  holds("po & loc", "po");
  equal("po", "po & loc | po \\ loc");
  equal("po", "po-imm+");
  equal("(po-imm | rf | co-imm | rf^-1 ; co-imm)+", "(po | rf | co | fr)+");
  holds("(po \\ loc) ; (po & loc)", "po \\ loc");
  fails("(po \\ loc) ; (po \\ loc)", "po \\ loc", "R -po-> R -po-> R");
  fails("po", "po-imm", "R -po-loc-> R");
  fails("po", "[R | W | F | TC | TB | TE | TJ] ; po", "_ -po-loc-> R");
}

TEST(Inclusion, ImmediateForms) {
  equal("co", "co-imm+");
  equal("fr", "fr-imm ; co-imm*");
  equal("fr-imm", "rf^-1 ; co-imm");
  fails("co", "co-imm", "W -coe-> W");
  holds("co-imm ; co-imm^-1", "[W]");
  holds("po-imm^-1 ; po-imm", "[_]");
}

TEST(Inclusion, Labels) {
  holds("[R & SC]", "[ACQ & AT]");
  holds("[SC & F]", "[ACQ & REL]");
  holds("[UR] ; po", "[RX] ; po");
  holds("po ; [R & W]", "rf");
  holds("rf", "[W] ; rf ; [R]");
  holds("[IW] ; (po | rmw | rfi | coi)", "rf");
  holds("co ; [IW]", "rf");
  holds("[IW] ; rf", "rfe");
  holds("rf ; rf | co ; rf^-1 | tc ; tc", "po");
  fails("[R]", "[ACQ]", "R");
  fails("rf", "[W & AT] ; rf", "W -rfe-> R");
}

TEST(Inclusion, SameLocation) {
  holds("rf | co | fr | rmw | po-loc | rf^-1 ; co ; rf", "loc");
  holds("loc ; loc^-1", "loc");
  fails("po", "loc", "R -po-> R");
  holds("rf ; (po & loc) ; [W]", "(rf | po)+ & loc");
}

TEST(Inclusion, HappensBefore) {
  const std::string rs = "[W & AT] ; (rf ; rmw)*";
  const std::string sw = "[REL] ; ([F] ; po)? ; " + rs + " ; rf ; [R & AT] ; (po ; [F])? ; [ACQ]";
  const std::string hb = "(po | " + sw + " | tc | tj)+";
  holds(hb, "(po | rf | tc | tj)+");
  holds(hb + ";" + hb, hb);
  holds("[REL & W] ; rf ; [R & ACQ]", hb);
  EXPECT_EQ(ask("rf", hb).answer, Answer::no);
}

TEST(Inclusion, Coherence) {
  const Theory coherent{true, true};
  holds("coi | fri", "po & loc", coherent);
  holds("rmw", "fr", coherent);
  holds("rf ; rmw", "co", coherent);
  holds("[W] ; rf? ; po-loc ; fr? ; [W]", "co", coherent);
  holds("[R] ; po-loc ; [W]", "fr", coherent);
  EXPECT_EQ(ask("[R] ; po ; [W]", "fr", coherent).answer, Answer::no);
  EXPECT_EQ(ask("coi", "po").answer, Answer::no);
}

TEST(Inclusion, LimitsGiveNoAnswer) {
  const auto left = expression("(rf | co | fr)+"), right = expression(eco);
  EXPECT_EQ(included(*left, *right, {}, {.nodes = 3}).answer, Answer::unknown);
}

}  // namespace
}  // namespace heddle::prover::test
