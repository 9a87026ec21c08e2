// The small programs that are compared, in families: one menu, one shape, and the models to which that menu is the same.
// Where all programs of a shape are too many, parts of the menu are run to their ends instead and the rest is sampled;
// what that leaves out is told by the counts. Tested in small_programs_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "reference_models.h"
#include "small_programs.h"

namespace heddle::cross_check {

struct Family {
  std::string name;  // first model / part / shape, such as rc11/fences/2x3
  std::vector<ReferenceModel> models;
  std::vector<Operation> menu;
  Shape shape;
  bool is_huge = false;  // to be sampled, not to be run to its end

  SmallPrograms programs() const { return SmallPrograms(menu, shape); }
};

Result<std::vector<Family>> all_families(const std::string& models_folder);

}  // namespace heddle::cross_check
