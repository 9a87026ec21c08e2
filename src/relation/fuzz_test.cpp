// Whatever is read, the result is a model or at least one message: no crash, no endless run, no empty message.
// Deterministic: mutated copies of the files of the tree, and random rows of tokens.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "relation/checkable.h"
#include "relation/model_file.h"
#include "relation/print_expression.h"

namespace heddle::relation {
namespace {

const std::vector<std::string> words = {"let ",
                                        "let rec ",
                                        "and ",
                                        "view ",
                                        "save ",
                                        "acyclic ",
                                        "irreflexive ",
                                        "empty ",
                                        "coherence ",
                                        "causal ",
                                        "error e unless ",
                                        "warning w unless ",
                                        "include \"a.kat\" ",
                                        "include ",
                                        "relation ",
                                        "predicate ",
                                        "declare ",
                                        "disjoint ",
                                        "assume ",
                                        "assert ",
                                        "total ",
                                        "not ",
                                        "unless ",
                                        "(",
                                        ")",
                                        "[",
                                        "]",
                                        "po",
                                        " rf ",
                                        "co",
                                        "fr ",
                                        "loc",
                                        "int",
                                        "ext",
                                        "id",
                                        "addr",
                                        "hb",
                                        " x ",
                                        " y ",
                                        "x = ",
                                        "y = ",
                                        "R",
                                        "W ",
                                        "SC",
                                        "_",
                                        "|",
                                        ";",
                                        "&",
                                        "\\",
                                        "*",
                                        "+",
                                        "?",
                                        "^-1",
                                        "-1",
                                        "~",
                                        "0",
                                        "=",
                                        "<=",
                                        "=>",
                                        "<=>",
                                        "/\\",
                                        "\\/",
                                        ",",
                                        "::",
                                        "a::x",
                                        "dom(",
                                        "rng(",
                                        "rot(",
                                        "tot(",
                                        "sameEnds(",
                                        "dedup(",
                                        "\"",
                                        "(*",
                                        "*)",
                                        "//",
                                        "\n",
                                        "∪",
                                        "∩",
                                        "⊆",
                                        "×",
                                        "⁻¹",
                                        "¬",
                                        "∅",
                                        "\xff",
                                        "\xe2\x88",
                                        "#"};

class Fuzz {
 public:
  explicit Fuzz(unsigned seed) : random_(seed) {
    for (const char* folder : {"models", "tests/kat/figures", "tests/kat/errors"}) {
      for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HEDDLE_SOURCE_DIR) / folder)) {
        if (entry.path().extension() != ".kat") continue;
        std::stringstream content;
        content << std::ifstream(entry.path(), std::ios::binary).rdbuf();
        seeds_.push_back(content.str());
      }
    }
    std::sort(seeds_.begin(), seeds_.end());  // the order of a folder is not the same everywhere
  }

  std::string tokens() {
    std::string text;
    for (unsigned i = pick(60); i > 0; --i)
      text += pick(12) == 0 ? std::string(1, static_cast<char>(random_())) : words[pick(words.size())];
    return text;
  }

  std::string mutated() {
    std::string text = seeds_[pick(seeds_.size())];
    for (unsigned i = pick(5); i > 0; --i) {
      const std::size_t at = pick(text.size() + 1), length = pick(12);
      switch (pick(5)) {
        case 0: text.insert(at, words[pick(words.size())]); break;
        case 1: text.erase(at, length); break;
        case 2: text.insert(at, text.substr(pick(text.size() + 1), length)); break;
        case 3: text.insert(at, seeds_[pick(seeds_.size())].substr(0, 200)); break;
        default:
          if (at < text.size()) text[at] = static_cast<char>(random_());
      }
    }
    return text;
  }

  // True if the text is a model.
  bool survives(const std::string& text) {
    Diagnostics problems;
    // The included file is the text itself, under another name: includes nest until the limit.
    const ModelFile model = read_model(
        text, "main.kat",
        [&](const std::string& path) { return path.size() < 30 ? std::optional(text) : std::nullopt; }, problems);
    EXPECT_LE(problems.size(), maximal_problems);
    for (const Diagnostic& problem : problems) {
      EXPECT_FALSE(problem.message.empty());
      EXPECT_FALSE(problem.file.empty());
      EXPECT_GT(problem.line, 0u);
      EXPECT_GT(problem.column, 0u);
    }
    if (!problems.empty()) return false;
    for (const Definition& definition : model.definitions) {
      EXPECT_TRUE(definition.expression) << "a definition without meaning and without message: " << text;
      EXPECT_FALSE(definition.expression->uses(feature_recursion));
      EXPECT_FALSE(print_expression(*definition.expression).empty());
    }
    Diagnostics obstacles;
    require_checkable(model, obstacles);
    return true;
  }

 private:
  std::size_t pick(std::size_t n) { return n == 0 ? 0 : random_() % n; }

  std::mt19937 random_;
  std::vector<std::string> seeds_;
};

TEST(Fuzz, EveryTextIsAModelOrGetsAMessage) {
  Fuzz fuzz(20240406);
  unsigned models = 0, refused = 0;
  for (int round = 0; round < 2000; ++round) {
    const std::string tokens = fuzz.tokens(), mutated = fuzz.mutated();
    ++(fuzz.survives(tokens) ? models : refused);
    ++(fuzz.survives(mutated) ? models : refused);
    ASSERT_FALSE(HasFailure()) << "round " << round << "\n" << tokens << "\n----\n" << mutated;
  }
  EXPECT_GT(models, 100u);
  EXPECT_GT(refused, 2000u);
}

}  // namespace
}  // namespace heddle::relation
