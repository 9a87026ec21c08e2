// The command line's contract: defaults, spellings of others, contradictions, and that nonsense gives exit code 2.
#include "cli/options.h"

#include "cli/loop_bound_option.h"

#include <vector>

#include <gtest/gtest.h>

namespace heddle::cli {
namespace {

Command read(std::vector<const char*> words) {
  words.insert(words.begin(), "heddle");
  return read_command_line(static_cast<int>(words.size()), words.data());
}

CheckOptions check(std::vector<const char*> words) {
  words.insert(words.begin(), "check");
  const Command command = read(words);
  if (const auto* answer = std::get_if<Answer>(&command)) ADD_FAILURE() << answer->text;
  const auto* options = std::get_if<CheckOptions>(&command);
  return options ? *options : CheckOptions();
}

Answer answer(std::vector<const char*> words) {
  const Command command = read(words);
  const auto* text = std::get_if<Answer>(&command);
  return text ? *text : Answer{-1, ""};
}

TEST(Options, Defaults) {
  const CheckOptions options = check({"a.c"});
  EXPECT_EQ(options.setup.files, std::vector<std::string>{"a.c"});
  EXPECT_EQ(options.setup.model, "rc11");
  EXPECT_EQ(options.setup.entry, "main");
  EXPECT_FALSE(options.setup.unroll);
  EXPECT_TRUE(options.setup.race_detection && options.setup.writes_first && options.setup.maximal_shortcut);
  EXPECT_EQ(options.format, Format::text);
}

TEST(Options, EverythingAfterTheDashesGoesToClang) {
  const CheckOptions options = check({"--unroll", "5", "a.c", "b.c", "--", "-DN=3", "--sc", "--"});
  EXPECT_EQ(options.setup.files, (std::vector<std::string>{"a.c", "b.c"}));
  EXPECT_EQ(options.setup.clang_flags, (std::vector<std::string>{"-DN=3", "--sc", "--"}));
  EXPECT_EQ(options.setup.model, "rc11");
  EXPECT_EQ(options.setup.unroll, 5u);
}

TEST(Options, BoundsOfSingleLoops) {
  const CheckOptions options =
      check({"--unroll-loop", "a.c:7=3", "--unroll-loop=b:c.c:1=9", "--no-unroll", "f", "a.c"});
  EXPECT_EQ(options.setup.unroll_loops, (std::vector<std::string>{"a.c:7=3", "b:c.c:1=9"}));
  EXPECT_EQ(options.setup.no_unroll, std::vector<std::string>{"f"});
  const auto bound = parse_loop_bound("b:c.c:1=9");
  ASSERT_TRUE(bound.has_value());
  EXPECT_EQ(bound->file, "b:c.c");
  EXPECT_EQ(bound->line, 1u);
  EXPECT_EQ(bound->bound, 9u);
  for (const char* wrong : {"", "=", ":=", "a.c", "a.c:7", "a.c=7", "a.c:7=", "a.c:=7", ":7=1", "a.c:7=0", "a.c:0=7",
                            "a.c:7=-1", "a.c:7=1x", "a.c:7=99999999999"})
    EXPECT_FALSE(parse_loop_bound(wrong).has_value()) << wrong;
}

TEST(Options, SpellingsOfGenMC) {
  const CheckOptions options = check({"--tso", "--nthreads", "2", "--disable-race-detection", "--check-liveness",
                                      "--program-entry-function", "go", "a.c"});
  EXPECT_EQ(options.setup.model, "tso");
  EXPECT_EQ(options.jobs, 2u);
  EXPECT_FALSE(options.setup.race_detection);
  EXPECT_EQ(options.setup.entry, "go");
}

TEST(Options, ShortFormsOfModels) {
  for (const std::string name : {"sc", "tso", "pso", "ra", "sra", "rc11", "rc11-2017", "rc11-c11", "rc11-strong"})
    EXPECT_EQ(check({("--" + name).c_str(), "a.c"}).setup.model, name);
  const Command command = read({"models", "--format", "json", "-v"});
  const auto* models = std::get_if<ModelsOptions>(&command);
  ASSERT_TRUE(models);
  EXPECT_TRUE(models->verbose && models->format == Format::json);
}

TEST(Options, BadCommandLines) {
  using Words = std::vector<const char*>;
  for (const Words& words : {Words{},
                             {"chek", "a.c"},
                             {"estimate", "a.c"},
                             {"check"},
                             {"check", "--sc", "--tso", "a.c"},
                             {"check", "--pso", "--rc11-c11", "a.c"},
                             {"models", "--format", "dot"},
                             {"models", "--format", "json", "rc11"},
                             {"check", "--sc", "--model", "tso", "a.c"},
                             {"check", "--unroll", "0", "a.c"},
                             {"check", "--unroll", "-1", "a.c"},
                             {"check", "--unroll", "x", "a.c"},
                             {"check", "--unroll", "99999999999", "a.c"},
                             {"check", "--timeout", "-3", "a.c"},
                             {"check", "--format", "sarif", "a.c"},
                             {"check", "--equivalence", "rf", "a.c"},
                             {"check", "--quiet", "--verbose", "a.c"},
                             {"check", "--modle", "sc", "a.c"},
                             {"replay"},
                             {"replay", "a", "b"},
                             {"replay", "a.json", "--", "-x"},
                             {"models", "a", "b"},
                             {"--frobnicate"}}) {
    const Answer result = answer(words);
    EXPECT_EQ(result.exit_code, exit_command_line) << (words.empty() ? "" : words.back());
    EXPECT_FALSE(result.text.empty());
  }
}

TEST(Options, Suggestions) {
  EXPECT_NE(answer({"chek"}).text.find("`check`"), std::string::npos);
  EXPECT_NE(answer({"check", "--modle", "sc", "a.c"}).text.find("`--model`"), std::string::npos);
}

TEST(Options, HelpAndVersion) {
  EXPECT_EQ(answer({"--version"}).text, "heddle 0.1.0\n");
  EXPECT_EQ(answer({"--help"}).exit_code, 0);
  const Answer help = answer({"check", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_NE(help.text.find("--no-writes-first"), std::string::npos);
}

}  // namespace
}  // namespace heddle::cli
