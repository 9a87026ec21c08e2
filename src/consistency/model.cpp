// Loading of models. Tested in checker_test.cpp.
#include "consistency/model.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include "consistency/compiled_model.h"
#include "relation/checkable.h"
#include "relation/model_file.h"

namespace heddle::consistency {
namespace {

// Only files: a pipe or a terminal would make everybody wait.
std::optional<std::string> read_file(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::nullopt;
  std::string text;
  char piece[4096];
  while (text.size() <= relation::maximal_file_size) {  // up to a bit more than allowed, to notice larger files
    stream.read(piece, sizeof piece);
    if (stream.bad()) return std::nullopt;
    if (stream.gcount() == 0) break;
    text.append(piece, static_cast<std::size_t>(stream.gcount()));
  }
  return text;
}

// models/rc11.kat -> rc11
std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
  if (name.ends_with(".kat")) name.resize(name.size() - 4);
  return name;
}

}  // namespace

Result<Model> Model::load(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text || (text->empty() && !std::ifstream(path).good())) {
    return Diagnostic{path, 0, 0, "cannot read the model file", "", ""};
  }
  return parse(*text, path);
}

Result<Model> Model::parse(const std::string& text, const std::string& name) {
  Diagnostics problems;
  relation::ModelFile file = relation::read_model(text, name, read_file, problems);
  if (problems.empty()) relation::require_checkable(file, problems);
  if (!problems.empty()) return problems;
  Model model;
  model.name_ = base_name(name);
  model.title_ = file.title;
  model.compiled_ = std::make_shared<const CompiledModel>(std::move(file), problems);
  if (!problems.empty()) return problems;
  return model;
}

bool Model::has_late_parts() const { return compiled_->has_late_parts(); }

unsigned Model::view_count() const { return compiled_->view_count; }

}  // namespace heddle::consistency
