// Every .kat file of the tree and every example of docs/kat.md is read; every file in tests/kat/errors gives exactly
// the messages that stand beside it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "relation/checkable.h"
#include "relation/model_file.h"

namespace heddle::relation {
namespace {

namespace fs = std::filesystem;

const fs::path root = HEDDLE_SOURCE_DIR;

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::stringstream content;
  content << stream.rdbuf();
  return content.str();
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& extension) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == extension) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string shown(const Diagnostics& problems) {
  std::string text;
  for (const Diagnostic& problem : problems) {
    text += problem.file + ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column) + ": " +
            problem.message + "\n";
    if (!problem.excerpt.empty())
      text += "  " + problem.excerpt + "\n  " + std::string(problem.column - 1, ' ') + "^\n";
    if (!problem.hint.empty()) text += "  " + problem.hint + "\n";
  }
  return text;
}

// What `heddle check` would say.
Diagnostics problems_of(const std::string& text, const std::string& path, bool check) {
  Diagnostics problems;
  const ModelFile model = read_model(text, path, read_file, problems);
  if (check && problems.empty()) require_checkable(model, problems);
  return problems;
}

TEST(Data, FiguresAreRead) {
  const std::vector<fs::path> figures = files_in(root / "tests/kat/figures", ".kat");
  EXPECT_GE(figures.size(), 14u);
  for (const fs::path& path : figures) {
    const Diagnostics problems = problems_of(*read_file(path), path, false);
    EXPECT_TRUE(problems.empty()) << shown(problems);
  }
}

TEST(Data, FiguresSayWhatTheyShow) {
  Diagnostics problems;
  const auto figure = [&](const std::string& name) {
    const std::string path = root / "tests/kat/figures" / name;
    return read_model(*read_file(path), path, read_file, problems);
  };
  const ModelFile eco = figure("thesis-3.4.1-eco.kat");
  EXPECT_EQ(eco.relations.size(), 2u);
  EXPECT_EQ(eco.assumptions.size(), 5u);
  ASSERT_EQ(eco.assertions.size(), 1u);
  EXPECT_EQ(eco.assertions[0].text, "(rf | co | rf^-1 ; co)+ = rf | (co | rf^-1 ; co) ; rf?");
  EXPECT_EQ(eco.assumptions[0].text, "rf ; rf = 0");
  EXPECT_EQ(eco.assumptions[4].text, "rf ; rf^-1 <= id");
  const ModelFile power = figure("thesis-3.7-power.kat");
  EXPECT_EQ(power.assumptions[0].text, "[R & ACQ] ; po | po ; [W & REL] <= po ; [F] ; po");
  EXPECT_EQ(power.assertions.size(), 3u);
  EXPECT_EQ(power.assertions[2].formula->right->kind, ExpressionKind::rotation);
  EXPECT_EQ(figure("thesis-9.9-psc.kat").views.size(), 1u);
  const ModelFile rc11 = figure("tacas-fig6-rc11.kat");
  EXPECT_EQ(rc11.coherence, 0u);
  ASSERT_EQ(rc11.rules.size(), 2u);
  EXPECT_TRUE(rc11.rules[0].conflict && rc11.rules[1].conflict && rc11.rules[1].warning);
  EXPECT_EQ(rc11.rules[0].view, 0u);
  EXPECT_TRUE(problems.empty()) << shown(problems);
}

TEST(Data, ModelsAreCheckable) {
  for (const fs::path& path : files_in(root / "models", ".kat")) {
    const Diagnostics problems = problems_of(*read_file(path), path, true);
    EXPECT_TRUE(problems.empty()) << shown(problems);
  }
}

// ```kat: is read. ```kat check: also satisfies `heddle check`. ```kat error: does not.
TEST(Data, ExamplesOfTheDocumentAreRead) {
  std::ifstream document(root / "docs/kat.md");
  ASSERT_TRUE(document);
  std::string line, kind, text;
  unsigned number = 0, examples = 0, start = 0;
  while (std::getline(document, line)) {
    ++number;
    if (line.starts_with("```kat")) {
      kind = line.substr(3);
      text.clear();
      start = number;
    } else if (line == "```" && !kind.empty()) {
      ++examples;
      const Diagnostics problems = problems_of(text, root / "docs/example.kat", kind != "kat");
      EXPECT_EQ(problems.empty(), kind != "kat error") << "docs/kat.md:" << start << "\n" << shown(problems);
      EXPECT_TRUE(kind == "kat" || kind == "kat check" || kind == "kat error") << kind;
      kind.clear();
    } else if (!kind.empty()) {
      text += line + "\n";
    }
  }
  EXPECT_GE(examples, 14u);
}

// With HEDDLE_UPDATE_EXPECTED=1 in the environment the files are written anew; look at the difference afterwards.
TEST(Data, EveryBadFileGivesItsMessages) {
  const fs::path before = fs::current_path();
  fs::current_path(root / "tests/kat/errors");  // messages name files as they were given
  const std::vector<fs::path> files = files_in(".", ".kat");
  EXPECT_GE(files.size(), 30u);
  for (const fs::path& path : files) {
    const std::string found = shown(problems_of(*read_file(path), path.filename(), true));
    const fs::path expected = fs::path(path).replace_extension(".expected");
    if (std::getenv("HEDDLE_UPDATE_EXPECTED")) std::ofstream(expected) << found;
    EXPECT_FALSE(found.empty()) << path;
    EXPECT_EQ(read_file(expected).value_or("(no such file)"), found) << path;
  }
  fs::current_path(before);
}

}  // namespace
}  // namespace heddle::relation
