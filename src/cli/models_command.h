// `heddle models` lists the memory models with their titles, and which is stronger than which, as far as the prover can
// tell; `heddle models NAME` prints one.
#pragma once

#include "cli/options.h"

namespace heddle::cli {

int run_models(const ModelsOptions& options);

}  // namespace heddle::cli
