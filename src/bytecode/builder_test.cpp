#include "bytecode/builder.h"

#include <gtest/gtest.h>

#include "base/check.h"
#include "bytecode/verify_program.h"

namespace heddle::bytecode {
namespace {

TEST(Builder, BuildsWellFormedPrograms) {
  ProgramBuilder program;
  Address x = program.global("x", 4, {7});
  Address text = program.constant_text("hi");
  EXPECT_GE(text, x + 4 + object_gap);
  EXPECT_EQ(program.program.globals[0].bytes, (std::vector<std::uint8_t>{7, 0, 0, 0}));
  EXPECT_EQ(program.program.globals[1].size, 3u);
  EXPECT_TRUE(program.program.globals[1].constant);

  FunctionBuilder f("f", 1);
  auto again = f.new_label(), done = f.new_label();
  f.bind(again);
  Operand old_value =
      f.compare_exchange(f.constant(x), f.constant(0), f.parameter(0), 32, MemoryOrder::seq_cst, MemoryOrder::relaxed);
  f.branch(old_value + 1, done, again);
  f.bind(done);
  f.fence(MemoryOrder::release);
  f.store(f.constant(x), f.binary(Opcode::add, old_value, f.constant(1)), 32, MemoryOrder::release);
  f.return_values({old_value});
  EXPECT_EQ(program.add(f), 0u);
  const Function& built = program.program.functions[0];
  EXPECT_EQ(built.code[1].b, 2u);
  EXPECT_EQ(built.code[1].c, 0u);
  EXPECT_EQ(built.register_count, 4u);
  EXPECT_TRUE(verify(program.program).empty());
}

TEST(Builder, ALabelThatWasNeverBoundIsAMistake) {
  FunctionBuilder f("f");
  f.jump(f.new_label());
  EXPECT_THROW(f.finish(), InternalError);
}

}  // namespace
}  // namespace heddle::bytecode
