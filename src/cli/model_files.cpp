// See model_files.h.
#include "cli/model_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "relation/spelling.h"

namespace heddle::cli {

namespace fs = std::filesystem;

namespace {

bool is_file_name(const std::string& model) { return model.find('/') != std::string::npos || model.ends_with(".kat"); }

std::string given_folder() {
  const char* given = std::getenv("HEDDLE_MODELS");
  return given ? given : "";
}

}  // namespace

std::string model_folder() { return given_folder().empty() ? HEDDLE_MODELS_DIR : given_folder(); }

bool comes_with_heddle(const std::string& model) { return !is_file_name(model) && given_folder().empty(); }

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(model_folder(), error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().extension() == ".kat") names.push_back(entry->path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

ModelPath find_model(const std::string& name) {
  std::error_code error;
  if (is_file_name(name)) {
    if (fs::is_regular_file(name, error)) return {name, ""};
    return {"", fmt::format("there is no model file '{}'", name)};
  }
  const fs::path path = fs::path(model_folder()) / (name + ".kat");
  if (!name.empty() && fs::is_regular_file(path, error)) return {path.string(), ""};
  const std::vector<std::string> names = model_names();
  if (names.empty()) {
    return {"",
            fmt::format("there is no memory model '{}': the folder of models, {}, holds none", name, model_folder())};
  }
  std::string complaint = fmt::format("there is no memory model '{}'", name);
  const std::vector<std::string_view> views(names.begin(), names.end());
  if (const std::string hint = relation::did_you_mean(name, views); !hint.empty()) complaint += "; " + hint;
  return {"", fmt::format("{}\nModels: {}", complaint, fmt::join(names, ", "))};
}

}  // namespace heddle::cli
