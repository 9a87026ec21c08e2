// Automata: guards, words, reduction, specialisation, and the test for cycles that avoid the initial state.
#include <gtest/gtest.h>

#include <random>

#include "automata/build.h"
#include "automata/reduce.h"
#include "relation/model_file.h"
#include "relation/vocabulary.h"

namespace heddle::automata {
namespace {

std::uint64_t labels(std::initializer_list<std::string_view> names) {
  std::uint64_t result = 0;
  for (std::string_view name : names) result |= std::uint64_t{1} << relation::bit_of(name);
  return result;
}

const std::uint64_t read = labels({"R", "RLX", "AT"}), write = labels({"W", "RLX", "AT"});
const std::uint64_t sc_read = labels({"R", "SC", "ACQ", "AT"}), sc_write = labels({"W", "SC", "REL", "AT"});
const std::uint64_t sc_fence = labels({"F", "SC", "ACQ", "REL"});

relation::ModelFile parse(const std::string& text) {
  Diagnostics problems;
  relation::ModelFile file = relation::read_model("view hb = (po | rf)+\n" + text, "test.kat", {}, problems);
  if (!problems.empty()) ADD_FAILURE() << problems[0].message;
  return file;
}

Nfa linear(const std::string& expression, bool sparse = true) {
  return *build(*parse("acyclic " + expression).constraints.at(0).expression, {.sparse_views = sparse});
}
Nfa circle(const std::string& expression) {
  return *build_circle(*parse("acyclic " + expression).constraints.at(0).expression);
}

constexpr Step po{StepKind::po_imm}, rf{StepKind::rf}, co{StepKind::co_imm}, fr{StepKind::fr_imm};
constexpr Step rf_inverse{StepKind::rf, true};

Guards guards(const std::string& set) {
  return guards_of(*parse("acyclic [" + set + "]").constraints.at(0).expression->parts[0]);
}

bool holds(const Guards& list, std::uint64_t labels) {
  return std::any_of(list.begin(), list.end(), [&](const Guard& guard) { return guard.holds(labels); });
}

TEST(Guard, Sets) {
  const Guards set = guards("(R | W) & SC \\ UR");
  EXPECT_TRUE(holds(set, sc_read));
  EXPECT_TRUE(holds(set, sc_write));
  EXPECT_FALSE(holds(set, read));
  EXPECT_FALSE(holds(set, sc_fence));
  EXPECT_FALSE(holds(set, sc_read | labels({"UR", "RX"})));
  EXPECT_TRUE(holds(guards("_"), 0));
  EXPECT_TRUE(holds(guards("_ \\ R"), write));
  EXPECT_FALSE(holds(guards("_ \\ R"), read));
  EXPECT_TRUE(guards("R & W").empty());
  EXPECT_TRUE(guards("R & UW").empty());
  EXPECT_TRUE(guards("R \\ _").empty());
}

TEST(Nfa, Words) {
  const Nfa nfa = linear("[SC] ; po ; rf? ; [R]");
  EXPECT_TRUE(accepts(nfa, {{po, sc_write, sc_read}}));
  EXPECT_TRUE(accepts(nfa, {{po, sc_write, write}, {po, write, write}, {rf, write, read}}));
  EXPECT_FALSE(accepts(nfa, {{po, write, read}}));                      // does not begin at [SC]
  EXPECT_FALSE(accepts(nfa, {{po, sc_write, write}}));                  // does not end at [R]
  EXPECT_FALSE(accepts(nfa, {{rf, sc_write, read}}));                   // no po
  EXPECT_FALSE(accepts(nfa, {{po, sc_write, write}, {rf, write, read}, {po, read, read}}));
  EXPECT_FALSE(accepts(nfa, {}));
}

TEST(Nfa, TransitiveRelationsUseTheirCores) {
  EXPECT_TRUE(accepts(linear("fr"), {{fr, read, write}, {co, write, write}, {co, write, write}}));
  EXPECT_FALSE(accepts(linear("fr"), {{co, write, write}}));
  EXPECT_TRUE(
      accepts(linear("fr^-1"), {{{StepKind::co_imm, true}, write, write}, {{StepKind::fr_imm, true}, write, read}}));
  EXPECT_TRUE(accepts(linear("hb"), {{{StepKind::view_first}, read, read}, {po, read, read}}));
  EXPECT_TRUE(accepts(linear("hb", false), {{{StepKind::view_all}, read, read}}));
  EXPECT_TRUE(accepts(linear("(po ; rf)^-1"), {{rf_inverse, read, write}, {{StepKind::po_imm, true}, write, read}}));
}

TEST(Nfa, ImpossibleEndsAreDropped) {
  EXPECT_TRUE(linear("[F] ; rf").transitions.empty());
  EXPECT_TRUE(linear("rf ; [W]").transitions.empty());
  EXPECT_TRUE(linear("rf ; rf").transitions.empty());
  EXPECT_EQ(linear("[W] ; rf ; [R]").transitions[0].source, Guard{});  // rf alone says this
}

TEST(Nfa, EmptyWord) {
  EXPECT_TRUE(linear("po | rf").empty_word.empty());
  EXPECT_TRUE(holds(linear("[SC] ; po?").empty_word, sc_read));
  EXPECT_FALSE(holds(linear("[SC] ; po?").empty_word, read));
}

TEST(Reduce, SequentialConsistencyIsOneState) {
  Nfa nfa = circle("po | rf | co | fr | tc | tj");
  EXPECT_GT(nfa.states, 1u);
  reduce(nfa);
  EXPECT_EQ(nfa.states, 1u);
  EXPECT_EQ(nfa.transitions.size(), 6u);
}

TEST(Reduce, MergesEqualStates) {
  Nfa nfa = linear("po-imm ; rf | co-imm ; rf | rmw ; rf");
  reduce(nfa);
  EXPECT_EQ(nfa.states, 3u);
}

// Random words are accepted before and after alike.
TEST(Reduce, KeepsTheLanguage) {
  std::mt19937 random(7);
  const std::uint64_t pool[] = {read, write, sc_read, sc_write, sc_fence};
  const Step steps[] = {po, rf, co, fr, {StepKind::rmw}, {StepKind::view_first}};
  for (const char* text :
       {"[SC] ; (po | rf)* ; fr", "[R] ; po ; [SC] | po ; [W] | [F & SC] ; po?",
        "(rf ; po-imm)* ; co ; rf? | (po ; fr)+", "[SC] ; ([F] ; hb)? ; (po | co | fr) ; (hb ; [F])? ; [SC]",
        "((po | rf)+ ; [SC])? ; (po | co)+ | fr ; rf?"}) {
    for (const bool round : {false, true}) {
      const Nfa before = round ? circle(text) : linear(text);
      Nfa after = before;
      reduce(after);
      EXPECT_LE(after.states, before.states);
      unsigned accepted = 0;
      for (int i = 0; i < 4000; ++i) {
        std::vector<Letter> word;
        std::uint64_t here = pool[random() % 5];
        for (unsigned length = 1 + random() % 5; length > 0; --length) {
          const Step step = steps[random() % 6];
          std::uint64_t there = pool[random() % 5];
          if (!source_of(step).holds(here) || !target_of(step).holds(there)) continue;
          word.push_back({step, here, there});
          here = there;
        }
        if (word.empty()) continue;
        ASSERT_EQ(accepts(before, word), accepts(after, word)) << text;
        accepted += accepts(after, word);
      }
      EXPECT_GT(accepted, 10u) << text;
    }
  }
}

TEST(Specialize, DropsWhatNoEventCanDo) {
  Nfa nfa = circle("[SC] ; (po | co | fr) ; [SC]");
  specialize(nfa, {read, write});
  EXPECT_TRUE(nfa.transitions.empty());
  nfa = circle("[SC] ; (po | co | fr) ; [SC] | [F & SC] ; hb ; [F & SC]");
  specialize(nfa, {sc_read, sc_write});
  EXPECT_EQ(nfa.states, 1u);  // acyclic po | co | fr
  EXPECT_EQ(nfa.transitions.size(), 3u);
  for (const Transition& t : nfa.transitions) EXPECT_TRUE(t.source.trivial() && t.target.trivial());
}

TEST(Cycles, ThatAvoidTheInitialState) {
  EXPECT_TRUE(every_cycle_passes_initial(circle("po ; fr")));
  EXPECT_TRUE(every_cycle_passes_initial(circle("[SC] ; (po | rf)+ ; co+ ; [SC]")));
  EXPECT_FALSE(every_cycle_passes_initial(circle("[SC] ; (rf | co | fr)+ ; [SC]")));
  EXPECT_FALSE(every_cycle_passes_initial(circle("[SC] ; (rf | rf^-1)+ ; [SC]")));
  EXPECT_FALSE(every_cycle_passes_initial(circle("[SC] ; (po | co)+ ; [SC]")));
}

TEST(Build, TooLargeIsRefused) {
  std::string text =
      "let a = (po | rf | co | fr)\nlet b = (a | a | a | a | a)\nlet c = (b | b | b | b | b)\n"
      "let d = (c | c | c | c | c)\nacyclic d ; d";
  EXPECT_FALSE(build(*parse(text).constraints.at(0).expression).has_value());
}

}  // namespace
}  // namespace heddle::automata
