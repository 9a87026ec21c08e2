#include "bytecode/verify_program.h"

#include <gtest/gtest.h>

#include <functional>

#include "bytecode/builder.h"

namespace heddle::bytecode {
namespace {

// One instruction of most shapes, all of them right.
Program good_program() {
  ProgramBuilder builder;
  Address x = builder.global("x", 16);
  FunctionBuilder f("f", 1);
  auto other = f.new_label(), end = f.new_label();
  Operand loaded = f.load(f.constant(x), 128);                                             // 0
  f.binary(Opcode::add, loaded, f.wide_constant(1, 2), 128);                               // 1
  Operand two = f.new_registers(2);
  f.emit({.op = Opcode::overflow_arithmetic, .bits = 32, .dst = two, .a = 0, .b = 0, .c = 1});  // 2
  f.emit({.op = Opcode::sign_extend, .bits = 8, .dst = two, .a = 0, .c = 128});            // 3
  f.stack_object(8, StackObjectKind::shared_object);                                       // 4
  f.call(0, {f.parameter(0)});                                                             // 5
  f.library(LibraryCall::choose, {f.constant(0), f.constant(3), f.constant(32)});          // 6
  f.switch_on(f.parameter(0), 32, {{1, other}, {2, end}}, end);                            // 7
  f.bind(other);
  f.read_modify_write(RmwOp::add, f.constant(x), f.constant(1), 32, MemoryOrder::relaxed); // 8
  f.fence(MemoryOrder::seq_cst);                                                           // 9
  f.branch(f.parameter(0), other, end);                                                    // 10
  f.bind(end);
  f.return_values({f.parameter(0)});                                                       // 11
  builder.add(f);
  return std::move(builder.program);
}

void expect_finding(const char* part, const std::function<void(Program&)>& spoil) {
  Program program = good_program();
  spoil(program);
  Diagnostics findings = verify(program);
  ASSERT_FALSE(findings.empty()) << part;
  EXPECT_NE(findings[0].message.find(part), std::string::npos) << findings[0].message << " should contain " << part;
}

Instruction& at(Program& program, std::size_t index) { return program.functions[0].code[index]; }

TEST(VerifyProgram, AcceptsAGoodProgram) {
  Diagnostics findings = verify(good_program());
  EXPECT_TRUE(findings.empty()) << findings[0].message;
}

TEST(VerifyProgram, FindsBadInstructions) {
  expect_finding("operand a is missing", [](Program& p) { at(p, 1).a = no_operand; });
  expect_finding("operand a is register 1000", [](Program& p) { at(p, 1).a = 1000; });
  // The last register is no pair of registers, the last constant no pair of constants.
  expect_finding("operand b is register", [](Program& p) { at(p, 1).b = p.functions[0].register_count - 1; });
  expect_finding("operand b is constant", [](Program& p) {
    at(p, 1).b = constant_bit | static_cast<Operand>(p.functions[0].constants.size() - 1);
  });
  expect_finding("65 is no width", [](Program& p) { at(p, 1).bits = 65; });
  expect_finding("24 is no width", [](Program& p) { at(p, 0).bits = 24; });
  expect_finding("the result goes to register", [](Program& p) { at(p, 2).dst = p.functions[0].register_count - 1; });
  expect_finding("c is literal 6", [](Program& p) { at(p, 2).c = 6; });
  expect_finding("convert to 127", [](Program& p) { at(p, 3).c = 127; });
  expect_finding("power of two", [](Program& p) { at(p, 4).b = 12; });
  expect_finding("object 9", [](Program& p) { at(p, 4).d = 9; });
  expect_finding("function 4", [](Program& p) { at(p, 5).b = 4; });
  expect_finding("f takes 1 argument slots, not 0", [](Program& p) { at(p, 5).argument_count = 0; });
  expect_finding("outside of the function's", [](Program& p) { at(p, 5).first_argument = 0xffffffff; });
  expect_finding("choose takes 3 arguments", [](Program& p) { at(p, 6).argument_count = 2; });
  expect_finding("literal 1000", [](Program& p) { at(p, 6).d = 1000; });
  expect_finding("switch table 1", [](Program& p) { at(p, 7).b = 1; });
  expect_finding("memory order plain", [](Program& p) { at(p, 8).order = MemoryOrder::plain; });
  expect_finding("memory order relaxed", [](Program& p) { at(p, 9).order = MemoryOrder::relaxed; });
  expect_finding("instruction 12", [](Program& p) { at(p, 10).c = 12; });
  expect_finding("unknown opcode", [](Program& p) { at(p, 0).op = static_cast<Opcode>(999); });
}

TEST(VerifyProgram, FindsBadFunctionsAndTables) {
  expect_finding("runs off the end", [](Program& p) {
    p.functions[0].code.pop_back();
    p.functions[0].code.pop_back();
    p.functions[0].positions.resize(10);
    p.functions[0].switches[0] = {};
  });
  expect_finding("only whole bytes", [](Program& p) {
    p.functions[0].code[0] = {.op = Opcode::integer_function,
                              .bits = 33,
                              .dst = 0,
                              .a = 0,
                              .d = static_cast<std::uint32_t>(IntegerFunction::byte_swap)};
  });
  expect_finding("12 instructions but 3 positions", [](Program& p) { p.functions[0].positions.resize(3); });
  expect_finding("no instructions", [](Program& p) {
    p.functions[0].code.clear();
    p.functions[0].positions.clear();
  });
  expect_finding("not sorted", [](Program& p) { p.functions[0].switches[0].cases[0].value = 9; });
  expect_finding("jumps to no instruction", [](Program& p) { p.functions[0].switches[0].default_target = 99; });
  expect_finding("entry function", [](Program& p) { p.entry = 1; });
  expect_finding("the end of threads", [](Program& p) { p.at_thread_end = 1; });
  expect_finding("the end of threads", [](Program& p) {
    p.at_thread_end = 0;
    p.functions[0].parameter_slots = 2;
  });
  expect_finding("16 bytes but 3", [](Program& p) { p.globals[0].bytes.resize(3); });
  expect_finding("overlaps", [](Program& p) { p.globals.push_back(p.globals[0]); });
  expect_finding("outside of the range", [](Program& p) { p.globals[0].address = privates_begin - 1; });
  expect_finding("type that does not exist", [](Program& p) { p.globals[0].info.type = 5; });
  expect_finding("file that does not exist", [](Program& p) { p.functions[0].positions[0].file = 5; });
  expect_finding("thread-local t lies outside", [](Program& p) {
    ThreadLocal local;
    local.info.name = "t";
    local.size = 4;
    local.bytes.resize(4);
    local.offset = 8;
    p.private_thread_local_bytes = 8;
    p.thread_locals.push_back(local);
  });
}

TEST(VerifyProgram, StopsAfterAHundredFindings) {
  Program program = good_program();
  for (int i = 0; i < 500; ++i) program.functions.push_back({});
  EXPECT_EQ(verify(program).size(), 100u);
}

}  // namespace
}  // namespace heddle::bytecode
