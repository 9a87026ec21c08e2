// The second interpreter's arithmetic on values that are known, and against the machine's on random ones: two
// implementations of one definition that have nothing in common.
#include "validate/arithmetic.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "machine/arithmetic.h"

namespace heddle::validate {
namespace {

using namespace bytecode;

constexpr unsigned widths[] = {1, 7, 8, 16, 31, 32, 33, 64, 128};

class Values {
 public:
  // Numbers at the edges are as likely as any.
  Bits next(unsigned bits) {
    const Bits one = 1;
    switch (random_() % 6) {
      case 0: return cut(random_() % 3, bits);
      case 1: return cut(~Bits{0} - random_() % 3, bits);
      case 2: return cut((one << (bits - 1)) - random_() % 2, bits);
      case 3: return cut(one << (random_() % bits), bits);
      default: return cut(Bits{random_()} << 64 | random_(), bits);
    }
  }
  std::uint64_t number() { return random_(); }

 private:
  std::mt19937_64 random_{5};
};

Bits calculated(Opcode op, unsigned bits, Bits a, Bits b) {
  bool by_zero = false;
  return integer_binary(op, bits, a, b, by_zero).value();
}

TEST(Arithmetic, KnownValues) {
  EXPECT_TRUE(calculated(Opcode::add, 8, 200, 100) == 44);
  EXPECT_TRUE(calculated(Opcode::sub, 16, 0, 1) == 0xffff);
  EXPECT_TRUE(calculated(Opcode::sdiv, 8, 0xf9, 2) == 0xfd);  // -7 / 2 == -3
  EXPECT_TRUE(calculated(Opcode::srem, 8, 0xf9, 2) == 0xff);
  EXPECT_TRUE(calculated(Opcode::ashr, 8, 0x80, 200) == 0xff);
  EXPECT_TRUE(calculated(Opcode::shl, 32, 1, 32) == 0);
  EXPECT_TRUE(calculated(Opcode::signed_less, 8, 0xff, 0) == 1);
  EXPECT_TRUE(calculated(Opcode::unsigned_less, 8, 0xff, 0) == 0);
  EXPECT_TRUE(integer_function(IntegerFunction::byte_swap, 32, 0x01020304, 0, 0) == 0x04030201);
  EXPECT_TRUE(integer_function(IntegerFunction::leading_zeros, 16, 0, 0, 0) == 16);
  EXPECT_TRUE(integer_function(IntegerFunction::funnel_left, 8, 0x81, 0xc0, 1) == 0x03);
  EXPECT_TRUE(integer_function(IntegerFunction::signed_add_saturated, 8, 127, 1, 0) == 127);
  EXPECT_TRUE(updated(RmwOp::signed_max, 32, 0xffffffff, 3) == 3);
  EXPECT_TRUE(updated(RmwOp::decrement_wrap, 32, 0, 9) == 9);
  bool by_zero = false, overflowed = false;
  EXPECT_FALSE(integer_binary(Opcode::urem, 32, 5, 0, by_zero));
  EXPECT_TRUE(by_zero);
  EXPECT_FALSE(integer_binary(Opcode::sdiv, 32, 0x80000000, 0xffffffff, by_zero));
  EXPECT_FALSE(by_zero);
  EXPECT_TRUE(overflow_result(OverflowOp::unsigned_mul, 64, ~0ull, 2, overflowed) == ~0ull - 1);
  EXPECT_TRUE(overflowed);
  EXPECT_TRUE(converted(Opcode::float_to_signed, 64, 32, 0x4024000000000000) == 10);
  EXPECT_TRUE(converted(Opcode::float_to_unsigned, 64, 32, 0xc024000000000000) == 0x80000000);
  EXPECT_TRUE(converted(Opcode::signed_to_float, 8, 64, 0xff) == 0xbff0000000000000);
}

TEST(Arithmetic, AgreesWithTheMachineOnIntegers) {
  Values values;
  for (const unsigned bits : widths) {
    for (int i = 0; i < 3000; ++i) {
      const Bits a = values.next(bits), b = values.next(bits), c = values.next(bits);
      for (const Opcode op : {Opcode::udiv, Opcode::sdiv, Opcode::urem, Opcode::srem}) {
        bool by_zero = false;
        const auto result = integer_binary(op, bits, a, b, by_zero);
        const auto problem = machine::division_problem(op, bits, a, b);
        ASSERT_EQ(by_zero, problem == machine::DivisionProblem::by_zero);
        ASSERT_EQ(result.has_value(), problem == machine::DivisionProblem::none);
        if (result) {
          ASSERT_TRUE(*result == machine::divide(op, bits, a, b));
        }
      }
      const std::uint32_t last = bits > 64 ? static_cast<std::uint32_t>(IntegerFunction::unsigned_max)
                                           : static_cast<std::uint32_t>(IntegerFunction::unsigned_sub_saturated);
      for (std::uint32_t f = 0; f <= last; ++f) {
        const auto function = static_cast<IntegerFunction>(f);
        if (function == IntegerFunction::byte_swap && bits % 16 != 0) continue;
        ASSERT_TRUE(integer_function(function, bits, a, b, c) == machine::integer_function(function, bits, a, b, c))
            << "function " << f << " of " << bits << " bits";
      }
      if (bits > 64) {
        ASSERT_TRUE(calculated(Opcode::shl, bits, a, b) == machine::wide_shift_left(a, b));
        ASSERT_TRUE(calculated(Opcode::ashr, bits, a, b) == machine::wide_shift_right_signed(a, b));
        continue;
      }
      const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
      ASSERT_TRUE(calculated(Opcode::shl, bits, a, b) == machine::shift_left(x, y, bits));
      ASSERT_TRUE(calculated(Opcode::lshr, bits, a, b) == machine::shift_right(x, y, bits));
      ASSERT_TRUE(calculated(Opcode::ashr, bits, a, b) == machine::shift_right_signed(x, y, bits));
      for (std::uint32_t op = 0; op <= static_cast<std::uint32_t>(OverflowOp::unsigned_mul); ++op) {
        bool mine = false, theirs = false;
        const Bits result = overflow_result(static_cast<OverflowOp>(op), bits, a, b, mine);
        ASSERT_TRUE(result == machine::overflow_arithmetic(static_cast<OverflowOp>(op), bits, x, y, theirs));
        ASSERT_EQ(mine, theirs);
      }
    }
  }
}

TEST(Arithmetic, AgreesWithTheMachineOnUpdates) {
  Values values;
  for (const unsigned bits : {8u, 16u, 32u, 64u, 128u}) {
    for (int i = 0; i < 2000; ++i) {
      const Bits a = values.next(bits), b = values.next(bits);
      for (std::uint32_t op = 0; op < static_cast<std::uint32_t>(RmwOp::float_add); ++op) {
        const Value expected =
            machine::read_modify_write(static_cast<RmwOp>(op), bits / 8, machine::value_of(a), machine::value_of(b));
        ASSERT_TRUE(updated(static_cast<RmwOp>(op), bits, a, b) == machine::wide_of(expected)) << "update " << op;
      }
    }
  }
}

TEST(Arithmetic, AgreesWithTheMachineOnFloats) {
  Values values;
  const auto pattern = [&](unsigned bits) -> Bits {
    if (bits == 80) {  // only bit patterns that are numbers
      const auto number = static_cast<long double>(static_cast<std::int64_t>(values.number())) / 12345;
      Bits result = 0;
      std::memcpy(&result, &number, 10);
      return result;
    }
    if (values.number() % 2 == 0) return cut(values.number(), bits);
    const double number = static_cast<double>(static_cast<std::int32_t>(values.number())) / 1024;
    const auto small = static_cast<float>(number);
    Bits result = 0;
    if (bits == 32)
      std::memcpy(&result, &small, 4);
    else
      std::memcpy(&result, &number, 8);
    return result;
  };
  for (const unsigned bits : {32u, 64u, 80u}) {
    for (int i = 0; i < 3000; ++i) {
      const Bits a = pattern(bits), b = pattern(bits), c = pattern(bits);
      for (std::uint32_t op = 0; op <= static_cast<std::uint32_t>(FloatOp::remainder); ++op)
        ASSERT_TRUE(float_binary(static_cast<FloatOp>(op), bits, a, b) ==
                    machine::float_binary(static_cast<FloatOp>(op), bits, a, b));
      for (std::uint32_t predicate = 0; predicate < 16; ++predicate)
        ASSERT_EQ(float_compare(predicate, bits, a, b), machine::float_compare(predicate, bits, a, b));
      for (std::uint32_t f = 0; f <= static_cast<std::uint32_t>(FloatFunction::cosine); ++f)
        ASSERT_TRUE(float_function(static_cast<FloatFunction>(f), bits, a, b, c) ==
                    machine::float_function(static_cast<FloatFunction>(f), bits, a, b, c));
      for (const unsigned to : {8u, 32u, 64u, 128u}) {
        for (const Opcode op : {Opcode::float_to_signed, Opcode::float_to_unsigned})
          ASSERT_TRUE(converted(op, bits, to, a) == machine::convert_float(op, bits, to, a));
        const Bits whole = values.next(to);
        for (const Opcode op : {Opcode::signed_to_float, Opcode::unsigned_to_float})
          ASSERT_TRUE(converted(op, to, bits, whole) == machine::convert_float(op, to, bits, whole));
      }
      for (const unsigned to : {32u, 64u, 80u})
        ASSERT_TRUE(converted(Opcode::float_to_float, bits, to, a) ==
                    machine::convert_float(Opcode::float_to_float, bits, to, a));
    }
  }
}

}  // namespace
}  // namespace heddle::validate
