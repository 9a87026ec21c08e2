// Names, modules, recursion and filters: what the expressions of a file mean once everything is resolved.
#include <gtest/gtest.h>

#include <map>

#include "relation/model_file.h"
#include "relation/print_expression.h"

namespace heddle::relation {
namespace {

using Files = std::map<std::string, std::string>;

ModelFile read(const std::string& text, const Files& files, Diagnostics& problems) {
  return read_model(
      text, "main.kat",
      [&](const std::string& path) -> std::optional<std::string> {
        const auto found = files.find(path);
        return found == files.end() ? std::nullopt : std::optional(found->second);
      },
      problems);
}

// What the last definition of the text means, or the first message.
std::string meaning(const std::string& text, const Files& files = {}) {
  Diagnostics problems;
  const ModelFile model = read(text, files, problems);
  if (!problems.empty()) return problems[0].message + (problems[0].hint.empty() ? "" : "; " + problems[0].hint);
  return print_expression(*model.definitions.back().expression);
}

std::string value(const std::string& expression) {
  return meaning("view hb = (po | rf)+ relation r predicate P let x = " + expression);
}

TEST(TypeCheck, FiltersBecomeOrdinaryRelations) {
  EXPECT_EQ(value("rf & ext"), "rfe");
  EXPECT_EQ(value("(rf | co | fr) & int"), "rfi | coi | fri");
  EXPECT_EQ(value("(po | rfe) & ext"), "rfe");
  EXPECT_EQ(value("po \\ int"), "0");
  EXPECT_EQ(value("hb & int"), "po");
  EXPECT_EQ(value("loc & hb"), "hb & loc");
  EXPECT_EQ(value("(po | rf) & loc"), "po & loc | rf");
  EXPECT_EQ(value("fr^-1 \\ loc"), "0");
  EXPECT_EQ(value("fr \\ id"), "fr");
  EXPECT_EQ(value("r & (W * R)"), "[W] ; r ; [R]");
  EXPECT_EQ(value("po \\ (W * R)"), "[_ \\ W] ; po | po ; [_ \\ R]");
}

TEST(TypeCheck, TheRestIsLate) {
  for (const char* text : {"po & rf", "hb & ext", "(po ; rf) & loc", "po-imm & loc", "loc & int", "po \\ (po ; po)",
                           "W * R", "ext", "[dom(rf)]", "po ; (W × R)", "loc \\ id", "r & loc"}) {
    Diagnostics problems;
    const ModelFile model = read("view hb = (po | rf)+ relation r acyclic " + std::string(text), {}, problems);
    ASSERT_TRUE(problems.empty()) << text << problems[0].message;
    EXPECT_TRUE(model.constraints[0].late) << text;
  }
  Diagnostics problems;
  const ModelFile model = read("view hb = (po | rf)+ acyclic hb & loc ; int ; rf & ext", {}, problems);
  EXPECT_FALSE(model.constraints.at(0).late);
}

TEST(TypeCheck, SetsAndSpellings) {
  EXPECT_EQ(value("[W ; SC]"), "[W & SC]");
  EXPECT_EQ(value("[~SC | ∅]"), "[_ \\ SC | 0]");
  EXPECT_EQ(value("[true] ∪ [false]"), "id | [0]");
  EXPECT_EQ(value("rf⁻¹ ⨾ co⁺ ; rf-1 ; po^* ; rb^?"), "rf^-1 ; co+ ; rf^-1 ; po* ; rb?");
  EXPECT_EQ(value("(W × R)* ; (R * W)*"), "(W * R)* ; (R * W)*");
  EXPECT_EQ(value("[dom(po)]* ; [P]"), "[dom(po)]* ; [P]");
}

TEST(TypeCheck, RecursionIsSolvedExactly) {
  EXPECT_EQ(meaning("let rec x = x ; po | rf"), "rf ; po*");
  EXPECT_EQ(meaning("let rec x = rf"), "rf");
  EXPECT_EQ(meaning("let rec x = x | rf"), "rf ; id*");
  EXPECT_EQ(meaning("let rec x = x ; po"), "0");
  EXPECT_EQ(meaning("let rec x = (x | rf) ; po"), "(rf ; po) ; po*");
  EXPECT_EQ(meaning("let rec x = (x ; co | x ; rf ; po)? ; fr"), "fr ; ((co | rf ; po) ; fr)*");
  // even = id | odd ; po-imm, odd = even ; po-imm
  EXPECT_EQ(meaning("let rec odd = even ; po-imm and even = odd ; po-imm | id"), "(po-imm ; po-imm)*");
  EXPECT_EQ(meaning("let rec x = y ; co | rf and y = x ; po"), "(rf ; po) ; (co ; po)*");
  EXPECT_EQ(meaning("let rec x = R"), "expected a relation, found a set of events: `R`; write `[S]` for its identity");
}

TEST(TypeCheck, IncludedNames) {
  const Files files = {{"C11.kat", "let eco = (rf | mo | fr)+ view hb = (po | rf)+ let only = po"},
                       {"Arm8.kat", "let eco = (rf | co | rb)+ let hb = po let ob = hb | co"},
                       {"both.kat", "include \"C11.kat\" include \"Arm8.kat\" let mixed = C11::hb | Arm8::hb"}};
  const std::string both = "include \"C11.kat\" include \"Arm8.kat\" ";
  EXPECT_EQ(meaning(both + "let x = C11::hb | Arm8::hb | ob", files), "hb | po | (po | co)");
  EXPECT_EQ(meaning(both + "let x = eco", files), "(rf | mo | fr)+");  // both say the same
  EXPECT_EQ(meaning(both + "let x = hb", files), "the name `hb` is ambiguous; write `C11::hb` or `Arm8::hb`");
  EXPECT_EQ(meaning(both + "let hb = rf let x = hb", files), "rf");
  EXPECT_EQ(meaning("include \"both.kat\" let x = mixed ; both::only ; C11::only", files), "(hb | po) ; po ; po");
  EXPECT_EQ(meaning("let x = C11::hb", files), "unknown name `C11::hb`; no included file is called `C11.kat`");
}

// A file that needs names is read anew for each file that includes it.
TEST(TypeCheck, NeededNames) {
  const Files files = {{"part.kat", "needs base let order = base | co"},
                       {"deep.kat", "needs base include \"part.kat\""},
                       {"one.kat", "let base = po include \"part.kat\""},
                       {"two.kat", "let base = rf include \"deep.kat\""}};
  EXPECT_EQ(meaning("include \"one.kat\" let x = order", files), "po | co");
  EXPECT_EQ(meaning("include \"two.kat\" let x = order", files), "rf | co");
  EXPECT_EQ(meaning("include \"one.kat\" include \"two.kat\" let x = one::order ; two::order", files),
            "(po | co) ; (rf | co)");
  EXPECT_EQ(meaning("let base = fr include \"part.kat\" let x = order ; base", files), "(fr | co) ; fr");
}

TEST(TypeCheck, DeclaredNamesHideBuiltInOnes) {
  EXPECT_EQ(meaning("declare rf, co let fr = rf^-1 ; co let x = fr"), "rf^-1 ; co");
  EXPECT_EQ(meaning("declare rf let fre = co"), "co");
  EXPECT_EQ(meaning("declare rf let coe = co"), "the name `coe` is already defined; choose another name");
  Diagnostics problems;
  const ModelFile model = read("declare rf predicate R let x = [R] ; rf", {}, problems);
  ASSERT_TRUE(problems.empty());
  const Expression& x = *model.definitions.back().expression;
  EXPECT_EQ(x.parts[1]->kind, ExpressionKind::uninterpreted);
  EXPECT_EQ(x.parts[0]->parts[0]->kind, ExpressionKind::predicate);
  EXPECT_TRUE(x.uses(feature_uninterpreted));
}

TEST(TypeCheck, FormulasArePrintedBack) {
  for (const std::string text :
       {"po <= rf", "R & W = 0", "acyclic po => irreflexive rf => empty co", "(acyclic po => total co) => po = 0",
        "not (po = 0 /\\ rf = 0) \\/ co = 0", "po = 0 /\\ (rf = 0 \\/ co = 0) <=> not acyclic fr",
        "sameEnds(po ; rf) <= dedup(rot(tot(co, po)))"}) {
    Diagnostics problems;
    const ModelFile model = read("assert " + text, {}, problems);
    ASSERT_TRUE(problems.empty()) << text << ": " << problems[0].message;
    EXPECT_EQ(model.assertions.at(0).text, text);
  }
}

TEST(TypeCheck, RulesAreConflictsOrPairs) {
  const auto rule = [](const std::string& text) {
    Diagnostics problems;
    const ModelFile model = read("view hb = (po)+ error e unless " + text, {}, problems);
    EXPECT_TRUE(problems.empty()) << text;
    return std::pair(model.rules.at(0).conflict, model.rules.at(0).view.has_value());
  };
  EXPECT_EQ(rule("loc <= hb"), std::pair(true, true));
  EXPECT_EQ(rule("[R] ; ([W] ; loc | loc) ; [W] | [R] ; loc <= hb | rf"), std::pair(true, false));
  EXPECT_EQ(rule("loc ; loc <= hb"), std::pair(false, true));
  EXPECT_EQ(rule("[R] <= hb"), std::pair(false, true));
  EXPECT_EQ(rule("loc? <= hb"), std::pair(false, true));
}

TEST(TypeCheck, SaveBecomesAViewWhereItCan) {
  const auto views = [](const std::string& text) {
    Diagnostics problems;
    const ModelFile model = read("save x = " + text, {}, problems);
    EXPECT_TRUE(problems.empty()) << text;
    return model.views.size();
  };
  EXPECT_EQ(views("(po | rf)+"), 1u);
  EXPECT_EQ(views("(rf)+"), 0u);
  EXPECT_EQ(views("(po | fr)+"), 0u);
  EXPECT_EQ(views("po | rf"), 0u);
}

TEST(TypeCheck, NothingGrowsWithoutAMessage) {
  std::string doubling = "let a0 = po\n", many, system = "let rec x0 = x0 ; po", chain = "acyclic po";
  for (int i = 1; i < 60; ++i)
    doubling += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + " | a" + std::to_string(i - 1) + "\n";
  EXPECT_NE(meaning(doubling).find("too large"), std::string::npos);
  for (int i = 0; i < 6000; ++i) many += "let n" + std::to_string(i) + " = po\n";
  EXPECT_NE(meaning(many).find("at most 5000 names"), std::string::npos);
  for (int i = 0; i < 40; ++i) {
    system += (i > 0 ? " and x" + std::to_string(i) + " = rf" : "");
    for (int j = 0; j < 40; ++j) system += " | x" + std::to_string(j) + " ; [" + (j % 2 ? "R" : "W") + "] ; co";
  }
  EXPECT_NE(meaning(system).find("too large"), std::string::npos);
  for (int i = 0; i < 100000; ++i) chain += " & rf";
  EXPECT_NE(meaning(chain).find("too deeply"), std::string::npos);
  std::string errors;
  for (int i = 0; i < 20000; ++i) errors += "acyclic nonsense" + std::to_string(i) + "\n";
  Diagnostics problems;
  read(errors, {}, problems);
  EXPECT_EQ(problems.size(), maximal_problems);
}

}  // namespace
}  // namespace heddle::relation
