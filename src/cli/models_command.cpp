// See models_command.h. A broken file in the folder is told of and does not hide the others.
#include "cli/models_command.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/model_files.h"
#include "cli/model_strength.h"

namespace heddle::cli {

namespace {

using Json = nlohmann::ordered_json;

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) return std::nullopt;
  return text.str();
}

struct NamedModel {
  std::string name, title;
  bool good = true;
};

// `files`: of the good models, in the same order.
std::vector<NamedModel> read_all(const std::vector<std::string>& names, std::vector<relation::ModelFile>& files) {
  std::vector<NamedModel> models;
  for (const std::string& name : names) {
    const std::string path = find_model(name).path;
    Diagnostics problems;
    relation::ModelFile file = relation::read_model(read_file(path).value_or(""), path, read_file, problems);
    models.push_back({name, file.title, problems.empty()});
    if (problems.empty()) files.push_back(std::move(file));
  }
  return models;
}

StrengthOrder::Effort effort_of(const ModelsOptions& options) {
  return options.verbose ? StrengthOrder::Effort::all : StrengthOrder::Effort::little;
}

std::vector<std::string> names_of_good(const std::vector<NamedModel>& models) {
  std::vector<std::string> names;
  for (const NamedModel& model : models) {
    if (model.good) names.push_back(model.name);
  }
  return names;
}

// The list comes first: proofs take a moment.
void print_text(const std::vector<NamedModel>& models, const std::vector<relation::ModelFile>& files,
                const ModelsOptions& options) {
  std::size_t width = 0;
  for (const NamedModel& model : models) width = std::max(width, model.name.size());
  for (const NamedModel& model : models)
    fmt::print("{:<{}}  {}\n", model.name, width, model.good ? model.title : "(this file has mistakes)");
  std::fflush(stdout);

  const std::vector<std::string> names = names_of_good(models);
  const StrengthOrder order(files, effort_of(options));
  fmt::print("\nProved: what a model allows, the weaker ones allow, too.\n");
  std::vector<std::string> open;
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> weaker, equal;
    for (const std::size_t j : order.next_weaker(i)) weaker.push_back(names[j]);
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (j != i && order.equivalent(i, j)) equal.push_back(names[j]);
      if (order.status(i, j) == prover::Status::unknown)
        open.push_back(fmt::format("{} stronger than {}", names[i], names[j]));
    }
    if (!weaker.empty()) fmt::print("{:<{}}  is stronger than  {}\n", names[i], width, fmt::join(weaker, ", "));
    if (!equal.empty()) fmt::print("{:<{}}  is equivalent to  {}\n", names[i], width, fmt::join(equal, ", "));
  }
  if (open.empty())
    fmt::print("For all other pairs an execution shows that the first is not stronger.\n");
  else if (options.verbose)
    fmt::print("Neither proved nor refuted by an execution: {}.\n", fmt::join(open, ", "));
  else
    fmt::print("Not decided in short time: {} pairs; --verbose takes longer and names them.\n", open.size());
}

void print_json(const std::vector<NamedModel>& models, const std::vector<relation::ModelFile>& files,
                const ModelsOptions& options) {
  Json result = {{"tool", "heddle"}, {"command", "models"}};
  result["models"] = Json::array();
  for (const NamedModel& model : models)
    result["models"].push_back({{"name", model.name}, {"title", model.title}, {"well_formed", model.good}});
  result["stronger"] = Json::array();
  const std::vector<std::string> names = names_of_good(models);
  const StrengthOrder order(files, effort_of(options));
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (i == j) continue;
      const char* status = order.proved(i, j) ? "proved" : order.refuted(i, j) ? "refuted" : "unknown";
      result["stronger"].push_back({{"strong", names[i]}, {"weak", names[j]}, {"status", status}});
    }
  }
  fmt::print("{}\n", result.dump(2, ' ', false, Json::error_handler_t::replace));
}

// The file, then every file that it includes, each once: together they are the whole model.
int show(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) {
    fmt::print(stderr, "{}: error: the file cannot be read\n", path);
    return exit_input;
  }
  std::fwrite(text->data(), 1, text->size(), stdout);
  Diagnostics problems;
  const relation::ModelFile model = relation::read_model(*text, path, read_file, problems);
  std::set<std::string> shown{path};
  for (const relation::SourceFile& file : model.files) {
    if (!shown.insert(file.path).second) continue;
    fmt::print("\n// ---------- {}\n", file.path);
    std::fwrite(file.text.data(), 1, file.text.size(), stdout);
  }
  return 0;
}

}  // namespace

int run_models(const ModelsOptions& options) {
  if (!options.name.empty()) {
    const ModelPath found = find_model(options.name);
    if (!found.path.empty()) return show(found.path);
    fmt::print(stderr, "heddle: {}\n", found.complaint);
    return exit_command_line;
  }
  const std::vector<std::string> names = model_names();
  if (names.empty()) {
    fmt::print(stderr, "heddle: the folder of models, {}, holds none\n", model_folder());
    return exit_input;
  }
  std::vector<relation::ModelFile> files;
  const std::vector<NamedModel> models = read_all(names, files);
  if (options.format == Format::json)
    print_json(models, files, options);
  else
    print_text(models, files, options);
  return 0;
}

}  // namespace heddle::cli
