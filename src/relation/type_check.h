// Resolves names and types: every expression is a set or a relation, and only supported forms are let through.
#pragma once

#include "relation/model_file.h"

namespace heddle::relation {

void type_check(const ParsedFile& parsed, ModelFile& model, Diagnostics& problems);

}  // namespace heddle::relation
