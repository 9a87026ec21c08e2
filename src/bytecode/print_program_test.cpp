#include "bytecode/print_program.h"

#include <gtest/gtest.h>

#include "bytecode/builder.h"
#include "bytecode/instruction_shape.h"

namespace heddle::bytecode {
namespace {

TEST(PrintProgram, ShowsOneInstructionALine) {
  ProgramBuilder builder;
  Address x = builder.global("x", 4, {1, 2});
  builder.program.files.push_back("main.c");
  FunctionBuilder f("main");
  Operand value = f.load(f.constant(x), 32, MemoryOrder::acquire);
  Operand sum = f.binary(Opcode::add, value, f.constant(5), 64);
  f.read_modify_write(RmwOp::bit_nand, f.constant(x), sum, 32, MemoryOrder::acquire_release);
  auto end = f.new_label();
  f.branch(sum, end, end);
  f.bind(end);
  f.library(LibraryCall::assume, {sum});
  f.call(0, {}, 0);
  f.return_values({sum, f.constant(1)});
  builder.add(f);
  builder.program.functions[0].positions[0] = {1, 4, 7};
  EXPECT_EQ(print(builder.program),
            "function 0 main: 4 registers, 0 parameters, entry\n"
            "    0  r0 = load.32 acquire #0x100000000               ; main.c:4:7\n"
            "    1  r1 = add.64 r0, #5\n"
            "    2  r2 = read_modify_write.32 acq_rel #0x100000000, r1, bit_nand\n"
            "    3  branch r1, -> 4, -> 4\n"
            "    4  r3 = assume(r1)\n"
            "    5  call main()\n"
            "    6  return_values(r1, #1)\n"
            "global x at 0x100000000, 4 bytes: 01 02 00 00\n");
}

TEST(PrintProgram, SurvivesProgramsThatAreNotWellFormed) {
  Program program;
  Function function;
  for (std::uint32_t op = 0; op <= opcode_count; ++op) {
    Instruction instruction{.op = static_cast<Opcode>(op),
                            .bits = 200,
                            .a = 0xffffffff,
                            .b = 0xffffffff,
                            .c = 0xffffffff,
                            .d = 0xffffffff,
                            .first_argument = 7,
                            .argument_count = 2};
    EXPECT_FALSE(print(program, function, instruction).empty());
  }
}

}  // namespace
}  // namespace heddle::bytecode
