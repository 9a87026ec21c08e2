// The tool's models and its compiler of models, loaded once a process.
#pragma once

#include "base/diagnostic.h"
#include "consistency/model.h"
#include "consistency/native_code.h"
#include "reference_models.h"

namespace heddle::cross_check {

const Result<consistency::Model>& loaded_model(ReferenceModel model);

// Null where the build has no LLVM.
consistency::CodeGenerator* shared_generator();

}  // namespace heddle::cross_check
