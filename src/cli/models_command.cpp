// See models_command.h. The title of a model is the first comment line of its file; nothing is parsed for the list, so
// a broken file in the folder does not hide the others.
#include "cli/models_command.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "cli/model_files.h"

namespace heddle::cli {

namespace {

std::string title_of(const std::string& path) {
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return "";
  const std::size_t begin = line.find_first_not_of("/*(# \t");
  if (begin == std::string::npos || begin == 0) return "";
  line = line.substr(begin, line.find_last_not_of(" \t\r") + 1 - begin);
  if (line.ends_with("*)") || line.ends_with("*/")) line.resize(line.find_last_not_of(" \t", line.size() - 3) + 1);
  return line;
}

}  // namespace

int run_models(const ModelsOptions& options) {
  if (options.name.empty()) {
    const std::vector<std::string> names = model_names();
    if (names.empty()) {
      fmt::print(stderr, "heddle: the folder of models, {}, holds none\n", model_folder());
      return exit_input;
    }
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    for (const std::string& name : names) fmt::print("{:<{}}  {}\n", name, width, title_of(find_model(name).path));
    return 0;
  }
  const ModelPath found = find_model(options.name);
  if (found.path.empty()) {
    fmt::print(stderr, "heddle: {}\n", found.complaint);
    return exit_command_line;
  }
  std::ifstream in(found.path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  if (!in) {
    fmt::print(stderr, "{}: error: the file cannot be read\n", found.path);
    return exit_input;
  }
  const std::string content = text.str();
  std::fwrite(content.data(), 1, content.size(), stdout);
  return 0;
}

}  // namespace heddle::cli
