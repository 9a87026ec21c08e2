// Tokens to statements. Precedence, loosest first: `|`, `;`, `\`, `&`, then the postfix operators ? * + ^-1.
// After a mistake the parser goes on at the next statement, so one run reports several mistakes.
//
//   let NAME = E                      acyclic E    irreflexive E    empty E    causal E
//   view NAME = E                     error NAME unless E <= VIEW
//   coherence VIEW                    warning NAME unless E <= VIEW
//   include "FILE"
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

// The text of an included file, or none if there is no such file.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

struct ParsedFile {
  SourceFiles files;  // the first is the one that was asked for
  std::vector<Statement> statements;
};

ParsedFile parse(const std::string& text, const std::string& path, const FileReader& read_file, Diagnostics& problems);

}  // namespace heddle::relation
