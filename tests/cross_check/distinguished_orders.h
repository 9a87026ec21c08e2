// Which memory orders a model can tell apart, read off the names of sets that its file mentions. A model that never says
// SC treats a seq_cst load as an acquire one, and a program that differs only in that is the same program to it. Tested
// in small_programs_test.cpp.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "litmus_program.h"

namespace heddle::cross_check {

// The sets that speak of orders (NA AT RLX ACQ REL SC) in the file and in what it includes, comments left out.
Result<std::set<std::string>> order_sets_in(const std::string& model_file);

// Every form of the operation kind that C allows, on one location, as far as the sets tell them apart: of the forms that
// they do not, the one with the weakest orders. Plain accesses are among the loads and stores.
std::vector<Operation> distinguished_forms(OperationKind kind, const std::set<std::string>& order_sets);

}  // namespace heddle::cross_check
