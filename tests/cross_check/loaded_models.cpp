// See loaded_models.h.
#include "loaded_models.h"

#include <map>
#include <string>

#ifdef HEDDLE_WITH_NATIVE
#include "consistency/native/generator.h"
#endif

namespace heddle::cross_check {

const Result<consistency::Model>& loaded_model(ReferenceModel model) {
  static std::map<ReferenceModel, Result<consistency::Model>> models;
  auto found = models.find(model);
  if (found == models.end()) {
    const std::string path = std::string(HEDDLE_MODELS_DIR) + "/" + name_of(model) + ".kat";
    found = models.emplace(model, consistency::Model::load(path)).first;
  }
  return found->second;
}

consistency::CodeGenerator* shared_generator() {
#ifdef HEDDLE_WITH_NATIVE
  static consistency::native::Generator made(nullptr);
  return &made;
#else
  return nullptr;
#endif
}

}  // namespace heddle::cross_check
