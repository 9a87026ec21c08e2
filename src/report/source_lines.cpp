// See source_lines.h. Files are read whole and once; anything above a size no source file has is not read at all.
#include "report/source_lines.h"

#include <filesystem>
#include <fstream>

#include <fmt/format.h>

namespace heddle::report {

namespace {

constexpr std::size_t longest_excerpt = 100;
constexpr std::uintmax_t largest_source_file = 64u << 20;

std::vector<std::string> read_lines(const std::string& path) {
  std::error_code error;
  std::vector<std::string> lines;
  if (!std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) > largest_source_file ||
      error) {
    return lines;
  }
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

bytecode::SourcePosition source_of(const bytecode::Program& program, bytecode::CodePosition position) {
  if (position.function >= program.functions.size()) return {};
  const bytecode::Function& function = program.functions[position.function];
  if (position.instruction >= function.positions.size()) return {};
  bytecode::SourcePosition result = function.positions[position.instruction];
  if (result.line == 0) return function.declared;
  return result;
}

std::string file_of(const bytecode::Program& program, const bytecode::SourcePosition& position) {
  return position.file < program.files.size() ? program.files[position.file] : std::string();
}

std::string without_folders(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string place(const bytecode::Program& program, bytecode::CodePosition position, bool column) {
  const bytecode::SourcePosition source = source_of(program, position);
  const std::string file = file_of(program, source);
  if (source.line == 0 || file.empty()) return "an unknown place";
  if (column && source.column != 0) return fmt::format("{}:{}:{}", file, source.line, source.column);
  return fmt::format("{}:{}", file, source.line);
}

std::string line_or_place(const bytecode::Program& program, bytecode::CodePosition position, std::uint32_t home) {
  const bytecode::SourcePosition source = source_of(program, position);
  if (source.line == 0) return "an unknown place";
  if (source.file == home) return fmt::format("line {}", source.line);
  return fmt::format("{}:{}", without_folders(file_of(program, source)), source.line);
}

std::string SourceLines::text(const bytecode::Program& program, bytecode::CodePosition position) {
  const bytecode::SourcePosition source = source_of(program, position);
  const std::string file = file_of(program, source);
  if (source.line == 0 || file.empty()) return "";
  auto found = files_.find(file);
  if (found == files_.end()) found = files_.emplace(file, read_lines(file)).first;
  if (source.line > found->second.size()) return "";
  const std::string& line = found->second[source.line - 1];
  const std::size_t begin = line.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  const std::size_t size = line.find_last_not_of(" \t\r") + 1 - begin;
  return size <= longest_excerpt ? line.substr(begin, size) : line.substr(begin, longest_excerpt) + " ...";
}

}  // namespace heddle::report
