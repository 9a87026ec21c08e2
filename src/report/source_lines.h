// Where in the source something happened, in words: code position to file, line and the text of that line.
// Never fails: positions that are out of range or files that cannot be read give 'unknown'.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bytecode/program.h"
#include "bytecode/vocabulary.h"

namespace heddle::report {

// The source position of a code position; line 0 if unknown.
bytecode::SourcePosition source_of(const bytecode::Program& program, bytecode::CodePosition position);
std::string file_of(const bytecode::Program& program, const bytecode::SourcePosition& position);

// "queue.c:31"; with `column` "queue.c:31:7"; "an unknown place" if there is no line.
std::string place(const bytecode::Program& program, bytecode::CodePosition position, bool column = false);
// "line 31", or "queue.h:31" (without folders) if the position is in another file than `home`.
std::string line_or_place(const bytecode::Program& program, bytecode::CodePosition position, std::uint32_t home);

std::string without_folders(const std::string& path);

// The source files' lines, read when first asked for.
class SourceLines {
 public:
  // The line without its indentation and line end; empty if it cannot be read.
  std::string text(const bytecode::Program& program, bytecode::CodePosition position);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace heddle::report
