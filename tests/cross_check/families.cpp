// See families.h.
#include "families.h"

#include <algorithm>
#include <map>

#include "distinguished_orders.h"

namespace heddle::cross_check {

namespace {

constexpr std::uint64_t huge = 2'000'000;  // programs

}  // namespace

Result<std::vector<Family>> all_families(const std::string& models_folder) {
  std::vector<std::pair<std::set<std::string>, std::vector<ReferenceModel>>> groups;
  for (const ReferenceModel model : all_models) {
    const Result<std::set<std::string>> sets = order_sets_in(models_folder + "/" + name_of(model) + ".kat");
    if (!sets) return sets.problems();
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& other) { return other.first == *sets; });
    if (group == groups.end()) group = groups.insert(groups.end(), {*sets, {}});
    group->second.push_back(model);
  }
  std::vector<Family> families;
  for (const auto& [sets, models] : groups) {
    for (const Shape shape : {Shape{2, 3}, Shape{3, 2}}) {
      const auto add = [&](MenuPart part, Shape of) {
        const std::string size = std::to_string(of.threads) + "x" + std::to_string(of.length);
        Family family{.name = std::string(name_of(models[0])) + "/" + name_of(part) + "/" + size, .models = models};
        family.menu = menu_of(part, sets);
        family.shape = of;
        family.is_huge = family.programs().count() > huge;
        families.push_back(family);
        return family.is_huge;
      };
      const bool in_parts = add(MenuPart::all, shape);
      if (in_parts && shape.threads == 2) add(MenuPart::all, {2, 2});
      for (const MenuPart part : all_menu_parts) {
        if (part != MenuPart::all && (in_parts || part == MenuPart::races)) add(part, shape);
      }
    }
  }
  return families;
}

}  // namespace heddle::cross_check
