// `let rec`: the least solution of a system of left-linear equations, as ordinary expressions.
//
//   X = X ; A | B   has the least solution   X = B ; A*
//
// Several equations are solved by putting one solution into the others, as in Gaussian elimination. The result is exact
// because every name being defined stands only at the left end of a sequence.
#pragma once

#include <string>
#include <vector>

#include "relation/expression.h"
#include "relation/report_problem.h"

namespace heddle::relation {

// Reports every occurrence of one of the names that is not at the left end of its definition; false if there is one.
bool is_left_linear(const Syntax& definition, const std::vector<std::string>& names, ProblemReporter& report);

// `definitions[i]` is the right-hand side of the i-th equation; in it, the node `recursion` number j stands for the
// j-th unknown. All must be left-linear. Null where the solution would be too large.
std::vector<ExpressionPointer> solve(const std::vector<ExpressionPointer>& definitions);

}  // namespace heddle::relation
