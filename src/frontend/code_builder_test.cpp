// Labels, parallel moves, tidying and register allocation, without LLVM: small functions built by hand and run by a
// tiny interpreter of moves, additions and branches.
#include "frontend/code_builder.h"

#include <gtest/gtest.h>

namespace heddle::frontend {
namespace {

// The returned values of a function of moves, adds and control flow.
std::vector<std::uint64_t> run(const bytecode::Function& function, std::vector<std::uint64_t> parameters) {
  std::vector<std::uint64_t> registers(function.register_count, 0xdead);
  std::copy(parameters.begin(), parameters.end(), registers.begin());
  const auto value = [&](Operand operand) {
    return operand & bytecode::constant_bit ? function.constants[operand & ~bytecode::constant_bit]
                                            : registers[operand];
  };
  std::uint32_t at = 0;
  for (int steps = 0; steps < 10'000; ++steps) {
    const Instruction& i = function.code[at++];
    if (i.op == Opcode::move) registers[i.dst] = value(i.a);
    if (i.op == Opcode::add) registers[i.dst] = value(i.a) + value(i.b);
    if (i.op == Opcode::jump) at = i.a;
    if (i.op == Opcode::branch) at = value(i.a) != 0 ? i.b : i.c;
    if (i.op != Opcode::return_values) continue;
    std::vector<std::uint64_t> results;
    for (std::uint32_t k = 0; k < i.argument_count; ++k)
      results.push_back(value(function.arguments[i.first_argument + k]));
    return results;
  }
  ADD_FAILURE() << "does not return";
  return {};
}

TEST(CodeBuilder, ParallelMovesSwapAndRotate) {
  CodeBuilder code;
  code.function().parameter_slots = 4;
  const Operand a = code.new_register(), b = code.new_register(), c = code.new_register(), d = code.new_register();
  code.parallel_moves({{a, b}, {b, c}, {c, a}, {d, a}});
  const Operand results[] = {a, b, c, d};
  code.emit({.op = Opcode::return_values}, results);
  EXPECT_EQ(run(code.finish(), {1, 2, 3, 4}), (std::vector<std::uint64_t>{2, 3, 1, 1}));
}

TEST(CodeBuilder, JumpsToJumpsDisappear) {
  CodeBuilder code;
  code.function().parameter_slots = 1;
  const Operand a = code.new_register();
  const Label first = code.new_label(), second = code.new_label(), last = code.new_label();
  code.branch(a, first, second);
  code.bind(first);
  code.jump(last);
  code.bind(second);
  code.jump(last);
  code.bind(last);
  const Operand results[] = {a};
  code.emit({.op = Opcode::return_values}, results);
  const bytecode::Function function = code.finish();
  ASSERT_EQ(function.code.size(), 1u);
  EXPECT_EQ(function.code[0].op, Opcode::return_values);
}

TEST(CodeBuilder, AnEndlessLoopStaysOne) {
  CodeBuilder code;
  const Label loop = code.new_label();
  code.bind(loop);
  code.jump(loop);
  const bytecode::Function function = code.finish();
  ASSERT_EQ(function.code.size(), 1u);
  EXPECT_EQ(function.code[0].a, 0u);
}

TEST(CodeBuilder, RegistersAreShared) {
  CodeBuilder code;
  code.function().parameter_slots = 1;
  Operand last = code.new_register();
  for (int i = 0; i < 50; ++i) {
    const Operand next = code.new_register();
    code.emit({.op = Opcode::add, .bits = 64, .dst = next, .a = last, .b = code.constant(1)});
    last = next;
  }
  const Operand results[] = {last};
  code.emit({.op = Opcode::return_values}, results);
  const bytecode::Function function = code.finish();
  EXPECT_EQ(function.register_count, 1u);
  EXPECT_EQ(run(function, {7}), (std::vector<std::uint64_t>{57}));
}

TEST(CodeBuilder, ValuesAliveAtTheSameTimeStayApart) {
  CodeBuilder code;
  code.function().parameter_slots = 1;
  const Operand a = code.new_register();
  std::vector<Operand> all;
  for (std::uint64_t i = 0; i < 10; ++i) {
    all.push_back(code.new_register());
    code.emit({.op = Opcode::add, .bits = 64, .dst = all.back(), .a = a, .b = code.constant(i)});
  }
  code.emit({.op = Opcode::return_values}, all);
  EXPECT_EQ(run(code.finish(), {5}), (std::vector<std::uint64_t>{5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
}

TEST(CodeBuilder, LoopVariablesNeedNoMoves) {
  // i = 0; do { i = i + 1; n = n + -1 } while (n); return i
  CodeBuilder code;
  code.function().parameter_slots = 1;
  const Operand parameter = code.new_register(), i = code.new_register(), n = code.new_register();
  const Operand next_i = code.new_register(), next_n = code.new_register();
  const Label loop = code.new_label(), again = code.new_label(), out = code.new_label();
  code.parallel_moves({{i, code.constant(0)}, {n, parameter}});
  code.bind(loop);
  code.emit({.op = Opcode::add, .bits = 64, .dst = next_i, .a = i, .b = code.constant(1)});
  code.emit({.op = Opcode::add, .bits = 64, .dst = next_n, .a = n, .b = code.constant(~std::uint64_t{0})});
  code.branch(next_n, again, out);
  code.bind(again);
  code.parallel_moves({{i, next_i}, {n, next_n}});
  code.jump(loop);
  code.bind(out);
  const Operand results[] = {next_i};
  code.emit({.op = Opcode::return_values}, results);
  const bytecode::Function function = code.finish();
  EXPECT_EQ(run(function, {9}), (std::vector<std::uint64_t>{9}));
  EXPECT_EQ(function.register_count, 2u);
  EXPECT_EQ(function.code.size(), 5u);  // move, add, add, branch, return
}

TEST(CodeBuilder, GroupsStayTogether) {
  CodeBuilder code;
  const Operand single = code.new_register(), pair = code.new_registers(2);
  code.move(single, code.constant(1));
  code.move(pair, code.constant(2));
  code.move(pair + 1, code.constant(3));
  const Operand results[] = {single, pair, pair + 1};
  code.emit({.op = Opcode::return_values}, results);
  const bytecode::Function function = code.finish();
  const std::uint32_t first = function.code.back().first_argument;
  EXPECT_EQ(function.arguments[first + 1] + 1, function.arguments[first + 2]);
  EXPECT_EQ(run(function, {}), (std::vector<std::uint64_t>{1, 2, 3}));
}

}  // namespace
}  // namespace heddle::frontend
