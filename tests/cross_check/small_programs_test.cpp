// What the exhaustive comparison goes through: the orders that each model tells apart, that every program comes once and
// none is missing, and that slices are parts of the whole.
#include "small_programs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "distinguished_orders.h"
#include "families.h"

namespace heddle::cross_check {
namespace {

std::set<std::string> order_sets(const std::string& model) {
  const Result<std::set<std::string>> sets = order_sets_in(std::string(HEDDLE_MODELS_DIR) + "/" + model + ".kat");
  EXPECT_TRUE(sets) << model;
  return sets ? *sets : std::set<std::string>();
}

TEST(DistinguishedOrders, AreWhatTheModelsMention) {
  using Sets = std::set<std::string>;
  EXPECT_EQ(order_sets("sc"), (Sets{"NA"}));
  EXPECT_EQ(order_sets("tso"), (Sets{"NA", "SC"}));
  EXPECT_EQ(order_sets("pso"), (Sets{"NA", "AT", "REL", "SC"}));
  EXPECT_EQ(order_sets("sra"), (Sets{"NA", "AT", "REL", "ACQ"}));
  for (const char* model : {"rc11", "rc11-2017", "rc11-c11", "rc11-strong"}) {
    EXPECT_EQ(order_sets(model), (Sets{"NA", "AT", "REL", "ACQ", "SC"})) << model;
  }
  EXPECT_FALSE(order_sets_in("no-such-file.kat"));
}

TEST(DistinguishedOrders, GiveOneFormForEachClass) {
  const auto count = [](const char* model, OperationKind kind) {
    return distinguished_forms(kind, order_sets(model)).size();
  };
  using enum OperationKind;
  EXPECT_EQ(count("sc", load), 2u);  // plain or not
  EXPECT_EQ(count("sc", exchange), 1u);
  EXPECT_EQ(count("sc", fence), 1u);
  EXPECT_EQ(count("tso", store), 3u);
  EXPECT_EQ(count("tso", compare_exchange), 4u);
  EXPECT_EQ(count("pso", store), 4u);
  EXPECT_EQ(count("pso", load), 3u);
  EXPECT_EQ(count("ra", exchange), 4u);
  EXPECT_EQ(count("ra", fence), 3u);
  EXPECT_EQ(count("rc11", load), 4u);
  EXPECT_EQ(count("rc11", exchange), 5u);
  EXPECT_EQ(count("rc11", compare_exchange), 15u);
  EXPECT_EQ(count("rc11", fence), 4u);
}

// A program as a text that is the same for all that differ only by names of locations, values and order of threads.
std::string class_of(const LitmusProgram& program) {
  std::vector<std::string> names;
  for (const bool exchanged : {false, true}) {
    std::vector<std::string> threads;
    for (const LitmusThread& thread : program.threads) {
      std::string text = "[";
      for (const Operation& operation : thread) {
        const int location = operation.kind == OperationKind::fence ? 0 : operation.location ^ static_cast<int>(exchanged);
        text += std::to_string(static_cast<int>(operation.kind)) + "." + std::to_string(location) + "." +
                name_of(operation.order) + "." + name_of(operation.failure_order) + ";";
      }
      threads.push_back(text + "]");
    }
    std::sort(threads.begin(), threads.end());
    std::string name;
    for (const std::string& thread : threads) name += thread;
    names.push_back(name);
  }
  return std::min(names[0], names[1]);
}

bool can_interact(const LitmusProgram& program) {
  for (int location = 0; location < 2; location++) {
    int users = 0;
    bool written = false;
    for (const LitmusThread& thread : program.threads) {
      bool uses = false;
      for (const Operation& operation : thread) {
        if (operation.kind == OperationKind::fence || operation.location != location) continue;
        uses = true;
        written |= operation.kind != OperationKind::load;
      }
      users += uses;
    }
    if (users == 1 || (users > 0 && !written)) return false;
  }
  return std::all_of(program.threads.begin(), program.threads.end(), [](const LitmusThread& thread) {
    return std::any_of(thread.begin(), thread.end(),
                       [](const Operation& operation) { return operation.kind != OperationKind::fence; });
  });
}

// Every program over the menu, by counting in the number system of the menu.
std::set<std::string> all_classes(const std::vector<Operation>& menu, Shape shape) {
  std::vector<LitmusThread> threads{{}};
  for (std::size_t i = 0; i < threads.size(); i++) {
    if (threads[i].size() == static_cast<std::size_t>(shape.length)) break;
    for (Operation operation : menu) {
      for (operation.location = 0; operation.location < 2; operation.location++) {
        if (operation.kind == OperationKind::fence && operation.location == 1) continue;
        LitmusThread longer = threads[i];
        longer.push_back(operation);
        threads.push_back(longer);
      }
    }
  }
  threads.erase(threads.begin());
  std::set<std::string> classes;
  LitmusProgram program;
  program.threads.resize(static_cast<std::size_t>(shape.threads));
  const auto choose = [&](const auto& self, std::size_t thread) -> void {
    if (thread == program.threads.size()) {
      if (can_interact(program)) classes.insert(class_of(program));
      return;
    }
    for (const LitmusThread& choice : threads) {
      program.threads[thread] = choice;
      self(self, thread + 1);
    }
  };
  choose(choose, 0);
  return classes;
}

TEST(SmallPrograms, ComeOnceAndAreAll) {
  const std::vector<Operation> menu{{.kind = OperationKind::load}, {.kind = OperationKind::store},
                                    {.kind = OperationKind::fence, .order = MemoryOrder::seq_cst}};
  for (const Shape shape : {Shape{2, 2}, Shape{2, 3}, Shape{3, 1}, Shape{3, 2}}) {
    std::set<std::string> classes;
    std::uint64_t visited = 0;
    const SmallPrograms programs(menu, shape);
    programs.for_each({}, [&](std::uint64_t number, const LitmusProgram& program) {
      EXPECT_EQ(number, visited++);
      EXPECT_TRUE(classes.insert(class_of(program)).second) << print_program(program);
      return true;
    });
    EXPECT_EQ(visited, programs.count());
    EXPECT_EQ(classes, all_classes(menu, shape));
  }
}

TEST(SmallPrograms, SlicesAreParts) {
  const SmallPrograms programs(menu_of(MenuPart::all, {"NA"}), {2, 2});
  std::map<std::uint64_t, int> seen;
  for (std::uint64_t slice = 0; slice < 7; slice++) {
    std::uint64_t in_slice = 0;
    programs.for_each({slice, 7}, [&](std::uint64_t number, const LitmusProgram&) {
      seen[number]++;
      in_slice++;
      return true;
    });
    EXPECT_GT(in_slice * 10, programs.count());  // about a seventh each
  }
  EXPECT_EQ(seen.size(), programs.count());
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](const auto& entry) { return entry.second == 1; }));
}

TEST(Families, HaveEveryModelInBothShapes) {
  const Result<std::vector<Family>> families = all_families(HEDDLE_MODELS_DIR);
  ASSERT_TRUE(families);
  std::map<ReferenceModel, std::set<std::string>> shapes;
  std::set<std::string> names;
  for (const Family& family : *families) {
    EXPECT_TRUE(names.insert(family.name).second);
    EXPECT_FALSE(family.menu.empty());
    for (const ReferenceModel model : family.models) {
      if (!family.is_huge) shapes[model].insert(family.name.substr(family.name.rfind('/')));
    }
  }
  for (const ReferenceModel model : all_models) {
    EXPECT_TRUE(shapes[model].contains("/2x3") && shapes[model].contains("/3x2")) << name_of(model);
  }
}

}  // namespace
}  // namespace heddle::cross_check
