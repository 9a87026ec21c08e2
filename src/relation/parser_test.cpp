// The model language: what it accepts, how it prints back, and one test for every kind of mistake.
#include <gtest/gtest.h>

#include "relation/checkable.h"
#include "relation/model_file.h"
#include "relation/print_expression.h"

namespace heddle::relation {
namespace {

std::optional<std::string> no_files(const std::string&) { return std::nullopt; }

Diagnostics problems_of(const std::string& text) {
  Diagnostics problems;
  const ModelFile model = read_model(text, "test.kat", no_files, problems);
  if (problems.empty()) require_checkable(model, problems);
  return problems;
}

std::string printed(const std::string& expression) {
  Diagnostics problems;
  const ModelFile model = read_model("view hb = (po | rf)+ acyclic " + expression, "test.kat", no_files, problems);
  if (!problems.empty()) return problems[0].message;
  return print_expression(*model.constraints.at(0).expression);
}

TEST(Parser, PrecedenceAndPrinting) {
  EXPECT_EQ(printed("po | rf ; co"), "po | rf ; co");
  EXPECT_EQ(printed("(po | rf) ; co"), "(po | rf) ; co");
  EXPECT_EQ(printed("po & loc ; hb \\ loc"), "po & loc ; hb \\ loc");
  EXPECT_EQ(printed("[R | W & SC] ; po"), "[R | W & SC] ; po");
  EXPECT_EQ(printed("[(R | W) & SC \\ UR] ; po"), "[(R | W) & SC \\ UR] ; po");
  EXPECT_EQ(printed("(rf ; rmw)*? ; rf^-1"), "(rf ; rmw)*? ; rf^-1");
  EXPECT_EQ(printed("loc & po"), "po & loc");
  EXPECT_EQ(printed("[M]"), "[R | W]");
}

TEST(Parser, PrintsWhatItParses) {
  for (const char* text : {"po", "[_ \\ F] ; (po | co+)* ; fr?", "((po ; rf)^-1 | hb)+", "[R \\ (SC \\ UR)] ; tc ; tj",
                           "[SC] ; (po \\ loc) ; hb ; (po \\ loc) ; [SC]"}) {
    const std::string once = printed(text);
    EXPECT_EQ(printed(once), once);
  }
}

TEST(Parser, UnicodeAndComments) {
  Diagnostics problems;
  const ModelFile model = read_model(
      "// A title\n(* a (* nested *) comment *) view hb = (po \u222a rf)+\n"
      "error race unless [NA \u2229 R] ; loc ; [W] \u2286 hb // end",
      "test.kat", no_files, problems);
  ASSERT_TRUE(problems.empty()) << problems[0].message;
  EXPECT_EQ(model.title, "A title");
  ASSERT_EQ(model.rules.size(), 1u);
  EXPECT_EQ(model.rules[0].name, "race");
  EXPECT_FALSE(model.rules[0].warning);
}

TEST(Parser, Includes) {
  const FileReader reader = [](const std::string& path) -> std::optional<std::string> {
    if (path == "models/base.kat") return "let com = rf | co | fr";
    if (path == "models/self.kat") return "include \"./self.kat\"";
    if (path == "models/back.kat") return "include \"../models/test.kat\"";
    if (path == "models/broken.kat") return "let x = po\nlet y = nonsense";
    return std::nullopt;
  };
  Diagnostics problems;
  const ModelFile model = read_model("include \"base.kat\" acyclic com", "models/test.kat", reader, problems);
  EXPECT_TRUE(problems.empty());
  EXPECT_EQ(model.constraints.size(), 1u);
  read_model("include \"broken.kat\"", "models/test.kat", reader, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].file, "models/broken.kat");
  EXPECT_EQ(problems[0].line, 2u);
  problems.clear();
  read_model("include \"self.kat\"", "models/test.kat", reader, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message, "`models/self.kat` includes itself");
  problems.clear();
  read_model("include \"back.kat\"", "models/test.kat", reader, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].message, "`models/test.kat` includes itself through `models/back.kat`");
}

struct Mistake {
  const char* text;
  unsigned line, column;
  const char* message;
  const char* hint;
};

TEST(Parser, EveryMistakeIsLocatedAndExplained) {
  const Mistake mistakes[] = {
      {"acyclic po | rff", 1, 14, "unknown name `rff`", "did you mean `rf`?"},
      {"acyclc po", 1, 1, "expected a statement", "did you mean `acyclic`?"},
      {"acyclic po |", 1, 13, "expected an expression, found end of file", ""},
      {"acyclic (po", 1, 12, "expected `)`", ""},
      {"acyclic [R", 1, 11, "expected `]`", ""},
      {"acyclic po po", 1, 12, "expected an operator or the next statement", ""},
      {"let acyclic = po", 1, 5, "found the keyword `acyclic`", ""},
      {"let a po", 1, 7, "expected `=`", ""},
      {"let po = rf", 1, 5, "already defined", "choose another name"},
      {"let a = po\nlet a = rf", 2, 5, "already defined", ""},
      {"acyclic R", 1, 9, "expected a relation, found a set", "[S]"},
      {"acyclic R | po", 1, 11, "mixes a set of events with a relation", "[S]"},
      {"acyclic [po]", 1, 9, "needs a set of events", ""},
      {"acyclic [R?]", 1, 11, "works on relations", ""},
      {"acyclic po @ rf", 1, 12, "unexpected character `@`", ""},
      {"(* open", 1, 1, "never closed", "*)"},
      {"include \"a", 1, 9, "not closed", ""},
      {"include \"a.kat\"", 1, 9, "cannot read `a.kat`", "beside"},
      {"view v = po", 1, 1, "transitive closure", ""},
      {"view v = (po | fr)+", 1, 1, "can change after", "a view may use"},
      {"view v = (po | rf^-1)+", 1, 1, "can change after", ""},
      {"coherence hb", 1, 11, "no view `hb`", ""},
      {"let hb = po coherence hb", 1, 23, "`hb` is not a view", "instead of `let`"},
      {"view v = (po)+ coherence v coherence v", 1, 28, "only one", ""},
      {"view hb1 = (po)+ error e unless loc <= hb", 1, 40, "unknown name `hb`", "did you mean `hb1`?"},
      {"error e loc <= hb", 1, 9, "expected `unless`", ""},
      {"acyclic po causal po+", 1, 12, "the causal order must be", ""},
      {"acyclic po causal (po | rf)+", 1, 12, "the causal order must be", ""},
  };
  for (const Mistake& mistake : mistakes) {
    const Diagnostics problems = problems_of(mistake.text);
    ASSERT_FALSE(problems.empty()) << mistake.text;
    const Diagnostic& first = problems[0];
    EXPECT_EQ(first.file, "test.kat");
    EXPECT_EQ(first.line, mistake.line) << mistake.text;
    EXPECT_EQ(first.column, mistake.column) << mistake.text;
    EXPECT_NE(first.message.find(mistake.message), std::string::npos) << mistake.text << ": " << first.message;
    EXPECT_NE(first.hint.find(mistake.hint), std::string::npos) << mistake.text << ": " << first.hint;
    EXPECT_FALSE(first.excerpt.empty());
  }
}

TEST(Parser, SeveralMistakesInOneRun) {
  const Diagnostics problems = problems_of("acyclic rff\nlet x = po ;\nacyclic fo\nlet y = nope\nacyclic y");
  ASSERT_EQ(problems.size(), 4u);  // the use of `y` is not a mistake of its own
  // The parser speaks before the type checker.
  EXPECT_EQ(problems[0].line, 3u);
  EXPECT_EQ(problems[1].line, 1u);
  EXPECT_EQ(problems[2].line, 3u);
  EXPECT_EQ(problems[3].line, 4u);
}

TEST(Parser, DeepNestingIsRefused) {
  EXPECT_NE(problems_of("acyclic " + std::string(100000, '(')).at(0).message.find("too deeply"), std::string::npos);
  EXPECT_NE(problems_of("acyclic po" + std::string(100000, '?')).at(0).message.find("too deeply"), std::string::npos);
  EXPECT_NE(problems_of("acyclic " + std::string(100000, '[')).at(0).message.find("too deeply"), std::string::npos);
  std::string names = "let a0 = po\n";
  for (int i = 1; i < 1000; ++i) names += "let a" + std::to_string(i) + " = a" + std::to_string(i - 1) + "?\n";
  EXPECT_NE(problems_of(names).at(0).message.find("too deeply"), std::string::npos);
  EXPECT_TRUE(problems_of("acyclic po").empty());
}

TEST(Parser, HugeFilesAreRefused) {
  EXPECT_NE(problems_of(std::string(maximal_file_size + 1, ' ')).at(0).message.find("too large"), std::string::npos);
}

}  // namespace
}  // namespace heddle::relation
