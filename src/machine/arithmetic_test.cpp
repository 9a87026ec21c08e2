#include "machine/arithmetic.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstring>

#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

std::uint64_t compute(Opcode op, unsigned bits, std::uint64_t a, std::uint64_t b) {
  ProgramBuilder program;
  FunctionBuilder function("f");
  function.return_values({function.binary(op, function.constant(a), function.constant(b), bits)});
  program.add(function);
  return result_of(std::move(program));
}

TEST(Arithmetic, OddWidthsWrapAtTheirWidth) {
  EXPECT_EQ(compute(Opcode::add, 7, 100, 100), 200 % 128);
  EXPECT_EQ(compute(Opcode::sub, 13, 0, 1), 0x1fffu);
  EXPECT_EQ(compute(Opcode::mul, 33, 0x1ffffffff, 2), 0x1fffffffeu);
  EXPECT_EQ(compute(Opcode::add, 64, ~0ull, 2), 1u);
  EXPECT_EQ(compute(Opcode::add, 1, 1, 1), 0u);
}

TEST(Arithmetic, SignedOperationsLookAtTheSignOfTheirWidth) {
  EXPECT_EQ(compute(Opcode::signed_less, 7, 0x7f, 0), 1u);   // -1 < 0
  EXPECT_EQ(compute(Opcode::signed_less, 8, 0x7f, 0), 0u);   // 127 < 0
  EXPECT_EQ(compute(Opcode::signed_less_equal, 32, 0x80000000, 0x80000000), 1u);
  EXPECT_EQ(compute(Opcode::unsigned_less, 32, 0x80000000, 1), 0u);
  EXPECT_EQ(compute(Opcode::sdiv, 12, 0xff9, 2), 0xffdu);    // -7 / 2 == -3
  EXPECT_EQ(compute(Opcode::srem, 12, 0xff9, 2), 0xfffu);    // -7 % 2 == -1
  EXPECT_EQ(compute(Opcode::udiv, 12, 0xff9, 2), 0x7fcu);
  EXPECT_EQ(compute(Opcode::urem, 12, 0xff9, 4), 1u);
}

TEST(Arithmetic, ShiftsByTheWidthOrMoreAreDefined) {
  EXPECT_EQ(compute(Opcode::shl, 32, 1, 31), 0x80000000u);
  EXPECT_EQ(compute(Opcode::shl, 32, 1, 32), 0u);
  EXPECT_EQ(compute(Opcode::lshr, 64, ~0ull, 64), 0u);
  EXPECT_EQ(compute(Opcode::ashr, 16, 0x8000, 40), 0xffffu);
  EXPECT_EQ(compute(Opcode::ashr, 16, 0x8000, 3), 0xf000u);
}

Value compute_wide(Opcode op, Value a, Value b) {
  ProgramBuilder program;
  Address out = program.global("out", 16);
  FunctionBuilder function("f");
  Operand result =
      function.binary(op, function.wide_constant(a.low, a.high), function.wide_constant(b.low, b.high), 128);
  function.store(function.constant(out), result, 128);
  function.return_values();
  program.add(function);
  OneThread thread(std::move(program));
  Action action = thread.run();
  EXPECT_EQ(action.kind, ActionKind::write);
  EXPECT_EQ(action.size, 16);
  return action.value;
}

TEST(Arithmetic, WideIntegersCarryAcrossTheirHalves) {
  EXPECT_EQ(compute_wide(Opcode::add, {~0ull, 0}, {1, 0}), (Value{0, 1}));
  EXPECT_EQ(compute_wide(Opcode::sub, {0, 1}, {1, 0}), (Value{~0ull, 0}));
  EXPECT_EQ(compute_wide(Opcode::mul, {1ull << 63, 0}, {4, 0}), (Value{0, 2}));
  EXPECT_EQ(compute_wide(Opcode::sdiv, {~0ull - 5, ~0ull}, {3, 0}), (Value{~0ull - 1, ~0ull}));  // -6 / 3
  EXPECT_EQ(compute_wide(Opcode::shl, {3, 0}, {64, 0}), (Value{0, 3}));
  EXPECT_EQ(compute_wide(Opcode::shl, {3, 0}, {128, 0}), (Value{0, 0}));
  EXPECT_EQ(compute_wide(Opcode::ashr, {0, 1ull << 63}, {500, 0}), (Value{~0ull, ~0ull}));
  EXPECT_EQ(compute_wide(Opcode::bit_xor, {5, 6}, {1, 2}), (Value{4, 4}));
}

TEST(Arithmetic, OverflowIsReportedExactlyAtTheWidth) {
  bool overflowed = false;
  EXPECT_EQ(overflow_arithmetic(OverflowOp::signed_add, 8, 127, 1, overflowed), 128u);
  EXPECT_TRUE(overflowed);
  EXPECT_EQ(overflow_arithmetic(OverflowOp::unsigned_add, 8, 127, 1, overflowed), 128u);
  EXPECT_FALSE(overflowed);
  EXPECT_EQ(overflow_arithmetic(OverflowOp::unsigned_sub, 32, 0, 1, overflowed), 0xffffffffu);
  EXPECT_TRUE(overflowed);
  EXPECT_EQ(overflow_arithmetic(OverflowOp::signed_sub, 32, 0, 1, overflowed), 0xffffffffu);
  EXPECT_FALSE(overflowed);
  overflow_arithmetic(OverflowOp::unsigned_mul, 64, ~0ull, ~0ull, overflowed);
  EXPECT_TRUE(overflowed);
  EXPECT_EQ(overflow_arithmetic(OverflowOp::signed_mul, 64, ~0ull, ~0ull, overflowed), 1u);  // -1 * -1
  EXPECT_FALSE(overflowed);
  overflow_arithmetic(OverflowOp::signed_mul, 64, 1ull << 63, ~0ull, overflowed);
  EXPECT_TRUE(overflowed);
}

std::uint64_t narrow(IntegerFunction function, unsigned bits, std::uint64_t a, std::uint64_t b = 0,
                     std::uint64_t c = 0) {
  return static_cast<std::uint64_t>(integer_function(function, bits, a, b, c));
}

TEST(Arithmetic, IntegerFunctions) {
  EXPECT_EQ(narrow(IntegerFunction::leading_zeros, 32, 1), 31u);
  EXPECT_EQ(narrow(IntegerFunction::leading_zeros, 32, 0), 32u);
  EXPECT_EQ(narrow(IntegerFunction::trailing_zeros, 16, 0), 16u);
  EXPECT_EQ(narrow(IntegerFunction::trailing_zeros, 16, 0x80), 7u);
  EXPECT_EQ(narrow(IntegerFunction::population_count, 64, ~0ull), 64u);
  EXPECT_EQ(narrow(IntegerFunction::byte_swap, 32, 0x11223344), 0x44332211u);
  EXPECT_EQ(narrow(IntegerFunction::bit_reverse, 8, 0b10110000), 0b00001101u);
  EXPECT_EQ(narrow(IntegerFunction::funnel_left, 8, 0xab, 0xcd, 4), 0xbcu);
  EXPECT_EQ(narrow(IntegerFunction::funnel_right, 8, 0xab, 0xcd, 4), 0xbcu);
  EXPECT_EQ(narrow(IntegerFunction::funnel_right, 8, 0xab, 0xcd, 8), 0xcdu);
  EXPECT_EQ(narrow(IntegerFunction::absolute, 16, 0xffff), 1u);
  EXPECT_EQ(narrow(IntegerFunction::signed_min, 8, 0xff, 1), 0xffu);
  EXPECT_EQ(narrow(IntegerFunction::unsigned_min, 8, 0xff, 1), 1u);
  EXPECT_EQ(narrow(IntegerFunction::signed_add_saturated, 8, 100, 100), 127u);
  EXPECT_EQ(narrow(IntegerFunction::signed_sub_saturated, 8, 0x80, 1), 0x80u);
  EXPECT_EQ(narrow(IntegerFunction::unsigned_add_saturated, 8, 200, 100), 255u);
  EXPECT_EQ(narrow(IntegerFunction::unsigned_sub_saturated, 8, 1, 2), 0u);
  EXPECT_EQ(integer_function(IntegerFunction::leading_zeros, 128, Wide{1} << 64, 0, 0), Wide{63});
  EXPECT_EQ(integer_function(IntegerFunction::trailing_zeros, 128, Wide{1} << 70, 0, 0), Wide{70});
  EXPECT_EQ(integer_function(IntegerFunction::byte_swap, 128, 1, 0, 0), Wide{1} << 120);
}

TEST(Arithmetic, ReadModifyWriteWrapsAtTheSizeOfTheAccess) {
  auto compute = [](RmwOp op, unsigned size, std::uint64_t a, std::uint64_t b) {
    return read_modify_write(op, size, {a, 0}, {b, 0}).low;
  };
  EXPECT_EQ(compute(RmwOp::add, 1, 255, 1), 0u);
  EXPECT_EQ(compute(RmwOp::subtract, 4, 0, 1), 0xffffffffu);
  EXPECT_EQ(compute(RmwOp::bit_nand, 2, 0xff, 0x0f), 0xfff0u);
  EXPECT_EQ(compute(RmwOp::signed_max, 1, 0xff, 1), 1u);
  EXPECT_EQ(compute(RmwOp::unsigned_max, 1, 0xff, 1), 0xffu);
  EXPECT_EQ(compute(RmwOp::increment_wrap, 4, 5, 5), 0u);
  EXPECT_EQ(compute(RmwOp::increment_wrap, 4, 4, 5), 5u);
  EXPECT_EQ(compute(RmwOp::decrement_wrap, 4, 0, 5), 5u);
  EXPECT_EQ(compute(RmwOp::decrement_wrap, 4, 3, 5), 2u);
  EXPECT_EQ(compute(RmwOp::float_add, 8, std::bit_cast<std::uint64_t>(1.5), std::bit_cast<std::uint64_t>(2.0)),
            std::bit_cast<std::uint64_t>(3.5));
  EXPECT_EQ(read_modify_write(RmwOp::add, 16, {~0ull, 0}, {1, 0}), (Value{0, 1}));
}

TEST(Arithmetic, FloatingPoint) {
  auto as64 = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  auto as32 = [](float x) { return std::uint64_t{std::bit_cast<std::uint32_t>(x)}; };
  EXPECT_EQ(float_binary(FloatOp::divide, 64, as64(1), as64(3)), as64(1.0 / 3));
  EXPECT_EQ(float_binary(FloatOp::divide, 32, as32(1), as32(3)), as32(1.0f / 3));
  EXPECT_EQ(float_binary(FloatOp::remainder, 64, as64(-5.5), as64(2)), as64(-1.5));
  EXPECT_TRUE(float_compare(0b1000, 64, as64(NAN), as64(1)));
  EXPECT_FALSE(float_compare(0b0111, 64, as64(NAN), as64(1)));
  EXPECT_TRUE(float_compare(0b0100, 32, as32(1), as32(2)));
  EXPECT_EQ(float_function(FloatFunction::fused_multiply_add, 64, as64(2), as64(3), as64(1)), as64(7));
  EXPECT_EQ(float_function(FloatFunction::negate, 32, as32(0), 0, 0), as32(-0.0f));
  auto convert = [](Opcode op, unsigned from, unsigned to, std::uint64_t a) {
    return static_cast<std::uint64_t>(convert_float(op, from, to, a));
  };
  EXPECT_EQ(convert(Opcode::float_to_signed, 64, 32, as64(-3.9)), 0xfffffffdu);
  EXPECT_EQ(convert(Opcode::float_to_unsigned, 32, 64, as32(1e18f)), static_cast<std::uint64_t>(1e18f));
  EXPECT_EQ(convert(Opcode::float_to_signed, 64, 32, as64(1e300)), 0x80000000u);
  EXPECT_EQ(convert(Opcode::signed_to_float, 16, 64, 0xffff), as64(-1));
  EXPECT_EQ(convert(Opcode::unsigned_to_float, 16, 32, 0xffff), as32(65535));
  EXPECT_EQ(convert(Opcode::float_to_float, 64, 32, as64(0.1)), as32(0.1f));
}

TEST(Arithmetic, LongDouble) {
  auto bits = [](long double x) {
    Wide result = 0;
    std::memcpy(&result, &x, 10);
    return result;
  };
  auto as64 = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  EXPECT_EQ(float_binary(FloatOp::divide, 80, bits(1), bits(3)), bits(1.0L / 3));
  EXPECT_NE(float_binary(FloatOp::divide, 80, bits(1), bits(3)), bits(1.0 / 3));
  EXPECT_EQ(float_function(FloatFunction::square_root, 80, bits(2), 0, 0), bits(sqrtl(2)));
  const long double next = 1 + LDBL_EPSILON;  // differs from 1 only beyond the precision of a double
  EXPECT_TRUE(float_compare(0b0100, 80, bits(1), bits(next)));
  EXPECT_FALSE(float_compare(0b0111, 80, bits(NAN), bits(1)));
  EXPECT_EQ(convert_float(Opcode::float_to_float, 80, 64, bits(next)), as64(1));
  EXPECT_EQ(convert_float(Opcode::float_to_float, 64, 80, as64(0.1)), bits(0.1));
  const std::int64_t odd = (std::int64_t{1} << 62) + 1;  // no double
  EXPECT_EQ(convert_float(Opcode::signed_to_float, 64, 80, static_cast<std::uint64_t>(-odd)), bits(-odd));
  EXPECT_EQ(convert_float(Opcode::float_to_signed, 80, 64, bits(odd)), static_cast<Wide>(odd));
  EXPECT_EQ(convert_float(Opcode::float_to_unsigned, 80, 64, bits(1.8e19L)), Wide{18000000000000000000u});
}

TEST(Arithmetic, LongDoublesTakeTwoRegisters) {
  ProgramBuilder program;
  FunctionBuilder function("f");
  Operand whole = function.new_registers(2), root = function.new_registers(2), less = function.new_registers();
  Operand result = function.new_registers();
  function.emit({.op = Opcode::signed_to_float, .bits = 32, .dst = whole, .a = function.constant(81), .c = 80});
  function.emit({.op = Opcode::float_function,
                 .bits = 80,
                 .dst = root,
                 .a = whole,
                 .d = static_cast<std::uint32_t>(FloatFunction::square_root)});
  function.emit({.op = Opcode::float_binary,
                 .bits = 80,
                 .dst = whole,
                 .a = whole,
                 .b = root,
                 .c = static_cast<std::uint32_t>(FloatOp::add)});
  function.emit({.op = Opcode::float_compare, .bits = 80, .dst = less, .a = root, .b = whole, .c = 0b0100});
  function.emit({.op = Opcode::float_to_signed, .bits = 80, .dst = result, .a = whole, .c = 32});
  function.return_values({function.binary(Opcode::add, result, less, 32)});
  program.add(function);
  EXPECT_EQ(result_of(std::move(program)), 91u);
}

TEST(Arithmetic, ExtensionAndTruncation) {
  ProgramBuilder program;
  FunctionBuilder function("f");
  Operand wide = function.new_registers(2), low = function.new_registers(), extended = function.new_registers();
  function.emit({.op = Opcode::sign_extend, .bits = 8, .dst = wide, .a = function.constant(0x80), .c = 128});
  function.emit({.op = Opcode::truncate, .bits = 12, .dst = low, .a = wide});
  function.emit({.op = Opcode::sign_extend, .bits = 12, .dst = extended, .a = low, .c = 32});
  Operand same = function.binary(Opcode::equal, wide + 1, function.constant(~0ull), 64);
  Operand result = function.new_registers();
  function.emit({.op = Opcode::select, .bits = 64, .dst = result, .a = same, .b = extended, .c = function.constant(1)});
  function.return_values({result});
  program.add(function);
  EXPECT_EQ(result_of(std::move(program)), 0xffffff80u);
}

TEST(Arithmetic, DivisionsThatCannotBeDoneAreErrors) {
  auto failing = [](Opcode op, std::uint64_t a, std::uint64_t b) {
    ProgramBuilder program;
    FunctionBuilder function("f");
    function.return_values({function.binary(op, function.constant(a), function.constant(b), 32)});
    program.add(function);
    OneThread thread(std::move(program));
    Action action = thread.run();
    EXPECT_EQ(action.kind, ActionKind::error);
    EXPECT_EQ(thread.run().error, action.error);
    return action.error;
  };
  EXPECT_EQ(failing(Opcode::udiv, 1, 0), ErrorKind::division_by_zero);
  EXPECT_EQ(failing(Opcode::srem, 1, 0), ErrorKind::division_by_zero);
  EXPECT_EQ(failing(Opcode::sdiv, 0x80000000, 0xffffffff), ErrorKind::undefined_behavior);
  EXPECT_EQ(compute(Opcode::udiv, 32, 0x80000000, 0xffffffff), 0u);
}

}  // namespace
}  // namespace heddle::machine
