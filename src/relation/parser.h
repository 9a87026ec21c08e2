// Tokens to statements; docs/kat.md has the grammar. After a mistake the parser goes on at the next statement, so one
// run reports several mistakes. Included files are read here, each once; those that need names of their includer
// (`needs`) once for every `include`.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "relation/syntax.h"

namespace heddle::relation {

inline constexpr std::size_t maximal_file_size = 1 << 20;
inline constexpr unsigned maximal_files = 32;
inline constexpr std::size_t maximal_problems = 50;  // enough was said
inline constexpr std::size_t maximal_names = 5000;   // definitions of a model, with its included files

// The text of an included file, or none if there is no such file.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

struct ParsedFile {
  SourceFiles files;                  // the first is the one that was asked for
  std::vector<Statement> statements;  // of all files: those of an included file stand before the `include`
};

ParsedFile parse(const std::string& text, const std::string& path, const FileReader& read_file, Diagnostics& problems);

}  // namespace heddle::relation
