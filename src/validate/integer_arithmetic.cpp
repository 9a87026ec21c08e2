// Integers: bit by bit where that is the definition. See arithmetic.h.
#include "base/check.h"
#include "validate/arithmetic.h"

namespace heddle::validate {

using bytecode::IntegerFunction;
using bytecode::Opcode;
using bytecode::OverflowOp;
using bytecode::RmwOp;

Bits cut(Bits value, unsigned bits) { return bits >= 128 ? value : value % (Bits{1} << bits); }

SignedBits as_signed(Bits value, unsigned bits) {
  const bool negative = (value >> (bits - 1) & 1) != 0;
  if (!negative || bits >= 128) return static_cast<SignedBits>(value);
  return static_cast<SignedBits>(value) - static_cast<SignedBits>(Bits{1} << (bits - 1)) * 2;
}

namespace {

bool bit(Bits value, unsigned place) { return (value >> place & 1) != 0; }

Bits lowest(unsigned bits) { return Bits{1} << (bits - 1); }  // the smallest signed number, as bits

Bits shifted(Opcode op, unsigned bits, Bits a, Bits b) {
  const bool sign = op == Opcode::ashr && bit(a, bits - 1);
  Bits result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    // Where the bit comes from; b may be larger than any place.
    bool from = sign;
    if (op == Opcode::shl)
      from = b <= i && bit(a, i - static_cast<unsigned>(b));
    else if (b < bits - i)
      from = bit(a, i + static_cast<unsigned>(b));
    if (from) result |= Bits{1} << i;
  }
  return result;
}

unsigned count_ones(Bits value, unsigned bits) {
  unsigned count = 0;
  for (unsigned i = 0; i < bits; ++i) count += bit(value, i);
  return count;
}

Bits reversed(Bits value, unsigned bits, unsigned unit) {
  Bits result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned to = bits - unit - i / unit * unit + i % unit;
    if (bit(value, i)) result |= Bits{1} << to;
  }
  return result;
}

// The high (left) or low half of a:b shifted by c modulo the width.
Bits funnel(unsigned bits, Bits a, Bits b, Bits c, bool left) {
  const auto by = static_cast<unsigned>(c % bits);
  Bits result = 0;
  for (unsigned i = 0; i < bits; ++i) {
    // Bit i of the result is bit `from` of the double-width number a:b.
    const unsigned from = left ? bits + i - by : i + by;
    if (from >= bits ? bit(a, from - bits) : bit(b, from)) result |= Bits{1} << i;
  }
  return result;
}

Bits clamped(SignedBits exact, SignedBits low, SignedBits high, unsigned bits) {
  if (exact < low) exact = low;
  if (exact > high) exact = high;
  return cut(static_cast<Bits>(exact), bits);
}

Bits saturated(IntegerFunction function, unsigned bits, Bits a, Bits b) {
  const auto top = static_cast<SignedBits>(Bits{1} << bits);  // at most 64 bits: everything fits
  const SignedBits sa = as_signed(a, bits), sb = as_signed(b, bits);
  const auto ua = static_cast<SignedBits>(a), ub = static_cast<SignedBits>(b);
  switch (function) {
    case IntegerFunction::signed_add_saturated: return clamped(sa + sb, -top / 2, top / 2 - 1, bits);
    case IntegerFunction::signed_sub_saturated: return clamped(sa - sb, -top / 2, top / 2 - 1, bits);
    case IntegerFunction::unsigned_add_saturated: return clamped(ua + ub, 0, top - 1, bits);
    default: return clamped(ua - ub, 0, top - 1, bits);
  }
}

}  // namespace

std::optional<Bits> integer_binary(Opcode op, unsigned bits, Bits a, Bits b, bool& by_zero) {
  a = cut(a, bits);
  b = cut(b, bits);
  const bool divides = op == Opcode::udiv || op == Opcode::sdiv || op == Opcode::urem || op == Opcode::srem;
  const bool with_sign = op == Opcode::sdiv || op == Opcode::srem;
  by_zero = divides && b == 0;
  if (by_zero) return std::nullopt;
  if (with_sign && a == lowest(bits) && b == cut(~Bits{0}, bits)) return std::nullopt;
  switch (op) {
    case Opcode::add: return cut(a + b, bits);
    case Opcode::sub: return cut(a - b, bits);
    case Opcode::mul: return cut(a * b, bits);
    case Opcode::udiv: return a / b;
    case Opcode::urem: return a % b;
    case Opcode::sdiv: return cut(static_cast<Bits>(as_signed(a, bits) / as_signed(b, bits)), bits);
    case Opcode::srem: return cut(static_cast<Bits>(as_signed(a, bits) % as_signed(b, bits)), bits);
    case Opcode::shl:
    case Opcode::lshr:
    case Opcode::ashr: return shifted(op, bits, a, b);
    case Opcode::bit_and: return a & b;
    case Opcode::bit_or: return a | b;
    case Opcode::bit_xor: return a ^ b;
    case Opcode::equal: return a == b;
    case Opcode::not_equal: return a != b;
    case Opcode::unsigned_less: return a < b;
    case Opcode::unsigned_less_equal: return a <= b;
    case Opcode::signed_less: return as_signed(a, bits) < as_signed(b, bits);
    case Opcode::signed_less_equal: return as_signed(a, bits) <= as_signed(b, bits);
    default: break;
  }
  HEDDLE_CHECK(false, "not an integer operation of two operands");
  return std::nullopt;
}

Bits overflow_result(OverflowOp op, unsigned bits, Bits a, Bits b, bool& overflowed) {
  a = cut(a, bits);
  b = cut(b, bits);
  const bool with_sign = op == OverflowOp::signed_add || op == OverflowOp::signed_sub || op == OverflowOp::signed_mul;
  if (op == OverflowOp::unsigned_mul) {  // 64 by 64 bits need all 128
    overflowed = a * b != cut(a * b, bits);
    return cut(a * b, bits);
  }
  const SignedBits x = with_sign ? as_signed(a, bits) : static_cast<SignedBits>(a);
  const SignedBits y = with_sign ? as_signed(b, bits) : static_cast<SignedBits>(b);
  SignedBits exact = 0;
  switch (op) {
    case OverflowOp::signed_add:
    case OverflowOp::unsigned_add: exact = x + y; break;
    case OverflowOp::signed_sub:
    case OverflowOp::unsigned_sub: exact = x - y; break;
    default: exact = x * y; break;
  }
  const Bits result = cut(static_cast<Bits>(exact), bits);
  overflowed = exact != (with_sign ? as_signed(result, bits) : static_cast<SignedBits>(result));
  return result;
}

Bits integer_function(IntegerFunction function, unsigned bits, Bits a, Bits b, Bits c) {
  a = cut(a, bits);
  b = cut(b, bits);
  const SignedBits x = as_signed(a, bits), y = as_signed(b, bits);
  switch (function) {
    case IntegerFunction::population_count: return count_ones(a, bits);
    case IntegerFunction::leading_zeros: {
      unsigned zeros = 0;
      while (zeros < bits && !bit(a, bits - 1 - zeros)) ++zeros;
      return zeros;
    }
    case IntegerFunction::trailing_zeros: {
      unsigned zeros = 0;
      while (zeros < bits && !bit(a, zeros)) ++zeros;
      return zeros;
    }
    case IntegerFunction::byte_swap: return reversed(a, bits, 8);
    case IntegerFunction::bit_reverse: return reversed(a, bits, 1);
    case IntegerFunction::funnel_left: return funnel(bits, a, b, cut(c, bits), true);
    case IntegerFunction::funnel_right: return funnel(bits, a, b, cut(c, bits), false);
    case IntegerFunction::absolute: return bit(a, bits - 1) ? cut(~a + 1, bits) : a;
    case IntegerFunction::signed_min: return y < x ? b : a;
    case IntegerFunction::signed_max: return y > x ? b : a;
    case IntegerFunction::unsigned_min: return b < a ? b : a;
    case IntegerFunction::unsigned_max: return b > a ? b : a;
    default: return saturated(function, bits, a, b);
  }
}

Bits updated(RmwOp op, unsigned bits, Bits old, Bits operand) {
  const Bits a = cut(old, bits), b = cut(operand, bits);
  const SignedBits x = as_signed(a, bits), y = as_signed(b, bits);
  switch (op) {
    case RmwOp::exchange: return b;
    case RmwOp::add: return cut(a + b, bits);
    case RmwOp::subtract: return cut(a - b, bits);
    case RmwOp::bit_and: return a & b;
    case RmwOp::bit_nand: return cut(~(a & b), bits);
    case RmwOp::bit_or: return a | b;
    case RmwOp::bit_xor: return a ^ b;
    case RmwOp::signed_max: return x > y ? a : b;
    case RmwOp::signed_min: return x < y ? a : b;
    case RmwOp::unsigned_max: return a > b ? a : b;
    case RmwOp::unsigned_min: return a < b ? a : b;
    case RmwOp::increment_wrap: return a >= b ? 0 : a + 1;
    case RmwOp::decrement_wrap: return a == 0 || a > b ? b : a - 1;
    case RmwOp::float_add: return float_binary(bytecode::FloatOp::add, bits, a, b);
    case RmwOp::float_subtract: return float_binary(bytecode::FloatOp::subtract, bits, a, b);
  }
  HEDDLE_CHECK(false, "an update that does not exist");
  return 0;
}

}  // namespace heddle::validate
