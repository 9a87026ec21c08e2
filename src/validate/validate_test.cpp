// What only the model can tell: the same execution under models that allow it and models that do not, claims of races
// where there are none, and the limits of what is validated.
#include "validate/validate.h"

#include <gtest/gtest.h>

#include "bytecode/builder.h"
#include "consistency/test_graphs.h"
#include "explore/explorer.h"
#include "validate/example_programs.h"

namespace heddle::validate {
namespace {

using namespace bytecode;
using consistency::test::load_model;
using Result = Validation::Result;

const ExampleProgram& example(const std::string& name) {
  static const std::vector<ExampleProgram> examples = example_programs();
  for (const ExampleProgram& one : examples)
    if (one.name == name) return one;
  throw std::logic_error("there is no example " + name);
}

explore::ExploreResult explored(const Program& program, const std::string& model,
                                std::vector<RecordedExecution>* executions = nullptr) {
  explore::ExploreOptions options;
  options.keep_going = true;
  if (executions != nullptr) {
    options.on_execution = [executions](const RecordedExecution& execution) { executions->push_back(execution); };
    options.on_restart = [executions] { executions->clear(); };
  }
  return explore::explore(program, load_model(model), options);
}

// Threads that write to one variable and read the other, in an order; main joins them.
Program two_threads(MemoryOrder order, bool write_first, bool with_fences = false) {
  ProgramBuilder builder;
  const Address x = builder.global("x", 4), y = builder.global("y", 4);
  FunctionBuilder main("main");
  std::vector<Operand> handles;
  for (std::uint32_t i = 1; i <= 2; ++i) {
    handles.push_back(main.stack_object(8, StackObjectKind::private_object));
    main.library(LibraryCall::thread_create, {handles.back(), main.constant(address_of_function(i)), main.constant(0)});
  }
  for (const Operand handle : handles)
    main.library(LibraryCall::thread_join, {main.load(handle, 64), main.constant(0)});
  main.return_values({});
  builder.add(main);
  for (const bool first : {true, false}) {
    const Address mine = first ? x : y, other = first ? y : x;
    FunctionBuilder thread("thread", 1);
    const MemoryOrder on_write = order == MemoryOrder::acquire_release ? MemoryOrder::release : order;
    const MemoryOrder on_read = order == MemoryOrder::acquire_release ? MemoryOrder::acquire : order;
    if (write_first) {
      thread.store(thread.constant(mine), thread.constant(1), 32, on_write);
      if (with_fences) thread.fence(MemoryOrder::seq_cst);
      thread.load(thread.constant(other), 32, on_read);
    } else if (first) {
      thread.store(thread.constant(x), thread.constant(1), 32, on_write);
      thread.store(thread.constant(y), thread.constant(1), 32, on_write);
    } else {
      thread.load(thread.constant(y), 32, on_read);
      thread.load(thread.constant(x), 32, on_read);
    }
    thread.return_values({});
    builder.add(thread);
  }
  return std::move(builder.program);
}

// The executions that a weak model allows, judged by a stronger one: it confirms those that it would have explored.
TEST(Validate, TheModelDecidesWhichExecutionsAreAllowed) {
  const struct {
    const char* name;
    Program program;
    std::size_t weak;
    std::vector<std::pair<std::string, std::size_t>> allowed;
  } cases[] = {
      {"store buffering", two_threads(MemoryOrder::relaxed, true), 4, {{"sc", 3}, {"tso", 4}, {"ra", 4}}},
      {"with fences", two_threads(MemoryOrder::relaxed, true, true), 3, {{"sc", 3}, {"tso", 3}}},
      {"message passing", two_threads(MemoryOrder::relaxed, false), 4, {{"sc", 3}, {"tso", 3}, {"pso", 4}}},
      {"with release and acquire", two_threads(MemoryOrder::acquire_release, false), 3, {{"sc", 3}, {"ra", 3}}},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.name);
    std::vector<RecordedExecution> executions;
    explored(test.program, "rc11", &executions);
    EXPECT_EQ(executions.size(), test.weak);
    for (const auto& [name, expected] : test.allowed) {
      const consistency::Model model = load_model(name);
      std::size_t confirmed = 0;
      for (const RecordedExecution& execution : executions) {
        const Validation validation = validate_execution(test.program, model, execution, {});
        confirmed += validation.result == Result::confirmed;
        if (validation.result != Result::confirmed) {
          EXPECT_EQ(validation.result, Result::refused);
          EXPECT_NE(validation.reason.find("the model does not allow"), std::string::npos) << validation.reason;
        }
      }
      EXPECT_EQ(confirmed, expected) << name;
    }
  }
}

TEST(Validate, AnErrorOfAWeakModelIsNoneOfAStrongOne) {
  const ExampleProgram& passing = example("message passing");
  const explore::ExploreResult result = explored(passing.program, "rc11");
  ASSERT_EQ(result.violations.size(), 1u);
  EXPECT_EQ(validate(passing.program, load_model("rc11"), result.violations[0], {}).result, Result::confirmed);
  for (const char* name : {"sc", "tso"})
    EXPECT_EQ(validate(passing.program, load_model(name), result.violations[0], {}).result, Result::refused) << name;
}

// Two plain accesses that release and acquire put in order are no race, whatever the claim says.
TEST(Validate, OrderedAccessesAreNoRace) {
  ProgramBuilder builder;
  const Address data = builder.global("data", 4), flag = builder.global("flag", 4);
  FunctionBuilder main("main"), writer("writer", 1);
  const Operand handle = main.stack_object(8, StackObjectKind::private_object);
  main.library(LibraryCall::thread_create, {handle, main.constant(address_of_function(1)), main.constant(0)});
  main.library(LibraryCall::assume, {main.load(main.constant(flag), 32, MemoryOrder::acquire)});
  main.load(main.constant(data), 32);
  main.return_values({});
  writer.store(writer.constant(data), writer.constant(1), 32);
  writer.store(writer.constant(flag), writer.constant(1), 32, MemoryOrder::release);
  writer.return_values({});
  builder.add(main);
  builder.add(writer);
  std::vector<RecordedExecution> executions;
  EXPECT_TRUE(explored(builder.program, "rc11", &executions).violations.empty());
  ASSERT_EQ(executions.size(), 1u);
  Violation claim;
  claim.kind = ErrorKind::race;
  claim.execution = executions[0];
  for (std::uint32_t e = 0; e < claim.execution.events.size(); ++e)
    if (claim.execution.events[e].address == data) claim.events.push_back(e);
  ASSERT_EQ(claim.events.size(), 2u);
  const RecordedEvent& access = claim.execution.events[claim.events[0]];
  claim.thread = access.thread;
  claim.position = access.position;
  claim.address = data;
  claim.size = 4;
  const Validation validation = validate(builder.program, load_model("rc11"), claim, {});
  EXPECT_EQ(validation.result, Result::refused);
  EXPECT_NE(validation.reason.find("no rule of the model"), std::string::npos) << validation.reason;
}

TEST(Validate, TheAssertionIsTheClaimedOne) {
  const ExampleProgram& updates = example("updates");
  explore::ExploreResult result = explored(updates.program, "rc11");
  ASSERT_FALSE(result.violations.empty());
  Violation& violation = result.violations[0];
  EXPECT_EQ(violation.message, "as it should be");
  violation.message = "something else";
  EXPECT_EQ(validate(updates.program, load_model("rc11"), violation, {}).result, Result::refused);
}

TEST(Validate, SaysWhatWasTooMuch) {
  const ExampleProgram& updates = example("updates");
  const explore::ExploreResult result = explored(updates.program, "rc11");
  ASSERT_FALSE(result.violations.empty());
  const std::size_t events = result.violations[0].execution.events.size();
  const Validation validation =
      validate(updates.program, load_model("rc11"), result.violations[0], {.largest_graph = 3});
  EXPECT_EQ(validation.result, Result::incomplete);
  EXPECT_NE(validation.reason.find(std::to_string(events) + " events"), std::string::npos);
  // What does not need the model is still refused.
  Violation damaged = result.violations[0];
  ++damaged.position.instruction;
  EXPECT_EQ(validate(updates.program, load_model("rc11"), damaged, {.largest_graph = 3}).result, Result::refused);
}

}  // namespace
}  // namespace heddle::validate
