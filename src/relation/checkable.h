// What `heddle check` asks of a model beyond being well-formed: it says something, and every part of it can be checked.
// Files for the prover need not satisfy this.
#pragma once

#include "relation/model_file.h"

namespace heddle::relation {

// Adds a problem for everything that stands in the way.
void require_checkable(const ModelFile& model, Diagnostics& problems);

}  // namespace heddle::relation
