// Finds memory models by name: NAME.kat in the folder of models (HEDDLE_MODELS in the environment, else the one that
// came with Heddle). Anything with a slash or ending in .kat is a file.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "consistency/model.h"

namespace heddle::cli {

// The names of all models, sorted.
std::vector<std::string> model_names();
std::string model_folder();

struct ModelPath {
  std::string path;      // empty if there is no such model
  std::string complaint; // then why, with what there is: a bad command line
};
ModelPath find_model(const std::string& name);

// Of these more is known than of others: see explore/undone.cpp.
bool comes_with_heddle(const std::string& model);

}  // namespace heddle::cli
