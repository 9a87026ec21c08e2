// An expression as text that parses back to the same expression.
#pragma once

#include <string>

#include "relation/expression.h"

namespace heddle::relation {

std::string print_expression(const Expression& expression);

}  // namespace heddle::relation
