#include "machine/arithmetic.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/check.h"

namespace heddle::machine {

using namespace bytecode;

namespace {

Wide wide_mask(unsigned bits) { return bits >= 128 ? ~Wide{0} : (Wide{1} << bits) - 1; }

SignedWide wide_signed(Wide value, unsigned bits) {
  return static_cast<SignedWide>(value << (128 - bits)) >> (128 - bits);
}

unsigned population_count(Wide a) {
  return static_cast<unsigned>(std::popcount(static_cast<std::uint64_t>(a)) +
                               std::popcount(static_cast<std::uint64_t>(a >> 64)));
}

unsigned leading_zeros(Wide a, unsigned bits) {
  auto high = static_cast<std::uint64_t>(a >> 64);
  auto low = static_cast<std::uint64_t>(a);
  unsigned zeros = static_cast<unsigned>(high != 0 ? std::countl_zero(high) : 64 + std::countl_zero(low));
  return zeros - (128 - bits);
}

unsigned trailing_zeros(Wide a, unsigned bits) {
  if (a == 0) return bits;
  auto low = static_cast<std::uint64_t>(a);
  return static_cast<unsigned>(low != 0 ? std::countr_zero(low)
                                        : 64 + std::countr_zero(static_cast<std::uint64_t>(a >> 64)));
}

Wide reverse(Wide a, unsigned bits, unsigned unit) {
  Wide result = 0;
  for (unsigned at = 0; at < bits; at += unit) result |= (a >> at & wide_mask(unit)) << (bits - unit - at);
  return result;
}

Wide funnel(Wide high, Wide low, Wide amount, unsigned bits, bool left) {
  auto by = static_cast<unsigned>(amount % bits);
  if (by == 0) return left ? high : low;
  if (!left) by = bits - by;
  return (high << by | low >> (bits - by)) & wide_mask(bits);
}

Wide saturate(SignedWide value, SignedWide low, SignedWide high, unsigned bits) {
  return static_cast<Wide>(value < low ? low : value > high ? high : value) & wide_mask(bits);
}

// long double is the host's, which keeps its 80 bits in the first 10 of 16 bytes.
static_assert(std::numeric_limits<long double>::digits == 64, "long double has 80 bits");
template <class Float>
constexpr std::size_t bytes_of = std::is_same_v<Float, long double> ? 10 : sizeof(Float);

template <class Float>
Float float_of(Wide bits) {
  Float result{};
  std::memcpy(&result, &bits, bytes_of<Float>);
  return result;
}

template <class Float>
Wide bits_of(Float value) {
  Wide result = 0;
  std::memcpy(&result, &value, bytes_of<Float>);
  return result;
}

// Calls `use` with a value of the floating-point type of that width.
template <class Use>
auto with_type(unsigned bits, Use use) {
  if (bits == 32) return use(float{});
  return bits == 64 ? use(double{}) : use(static_cast<long double>(0));
}

template <class Float>
Float apply(FloatOp op, Float a, Float b) {
  switch (op) {
    case FloatOp::add: return a + b;
    case FloatOp::subtract: return a - b;
    case FloatOp::multiply: return a * b;
    case FloatOp::divide: return a / b;
    case FloatOp::remainder: return std::fmod(a, b);
  }
  return 0;
}

template <class Float>
Float apply(FloatFunction function, Float a, Float b, Float c) {
  switch (function) {
    case FloatFunction::negate: return -a;
    case FloatFunction::absolute: return std::fabs(a);
    case FloatFunction::square_root: return std::sqrt(a);
    case FloatFunction::floor: return std::floor(a);
    case FloatFunction::ceiling: return std::ceil(a);
    case FloatFunction::truncate: return std::trunc(a);
    case FloatFunction::round: return std::round(a);
    case FloatFunction::round_even: return std::nearbyint(a);
    case FloatFunction::minimum: return std::fmin(a, b);
    case FloatFunction::maximum: return std::fmax(a, b);
    case FloatFunction::copy_sign: return std::copysign(a, b);
    case FloatFunction::fused_multiply_add: return std::fma(a, b, c);
    case FloatFunction::power: return std::pow(a, b);
    case FloatFunction::exponential: return std::exp(a);
    case FloatFunction::logarithm: return std::log(a);
    case FloatFunction::sine: return std::sin(a);
    case FloatFunction::cosine: return std::cos(a);
  }
  return 0;
}

// Every value of the narrower types is one of the widest.
long double as_widest(Wide a, unsigned bits) {
  return with_type(bits, [&](auto type) -> long double { return float_of<decltype(type)>(a); });
}

Wide float_to_integer(long double value, unsigned bits, bool is_signed) {
  // Out of range is undefined in C; any fixed answer will do, and this is the one that x86 gives.
  Wide indefinite = Wide{1} << (bits - 1);
  long double limit = std::ldexp(1.0L, static_cast<int>(is_signed ? bits - 1 : bits));
  long double whole = std::trunc(value);
  if (!(whole < limit) || whole < (is_signed ? -limit : 0)) return indefinite;
  return (is_signed ? static_cast<Wide>(static_cast<SignedWide>(whole)) : static_cast<Wide>(whole)) & wide_mask(bits);
}

}  // namespace

DivisionProblem division_problem(Opcode op, unsigned bits, Wide a, Wide b) {
  if (b == 0) return DivisionProblem::by_zero;
  bool is_signed = op == Opcode::sdiv || op == Opcode::srem;
  if (is_signed && a == Wide{1} << (bits - 1) && b == wide_mask(bits)) return DivisionProblem::overflow;
  return DivisionProblem::none;
}

Wide divide(Opcode op, unsigned bits, Wide a, Wide b) {
  switch (op) {
    case Opcode::udiv: return a / b;
    case Opcode::urem: return a % b;
    case Opcode::sdiv: return static_cast<Wide>(wide_signed(a, bits) / wide_signed(b, bits)) & wide_mask(bits);
    case Opcode::srem: return static_cast<Wide>(wide_signed(a, bits) % wide_signed(b, bits)) & wide_mask(bits);
    default: HEDDLE_CHECK(false, "only divisions divide");
  }
  return 0;
}

std::uint64_t overflow_arithmetic(OverflowOp op, unsigned bits, std::uint64_t a, std::uint64_t b, bool& overflowed) {
  SignedWide signed_a = signed_of(a, bits), signed_b = signed_of(b, bits);
  SignedWide exact = 0;
  bool is_signed = true;
  switch (op) {
    case OverflowOp::signed_add: exact = signed_a + signed_b; break;
    case OverflowOp::signed_sub: exact = signed_a - signed_b; break;
    case OverflowOp::signed_mul: exact = signed_a * signed_b; break;
    case OverflowOp::unsigned_add:
      exact = SignedWide{a} + b;
      is_signed = false;
      break;
    case OverflowOp::unsigned_sub:
      exact = SignedWide{a} - b;
      is_signed = false;
      break;
    case OverflowOp::unsigned_mul:
      exact = static_cast<SignedWide>(Wide{a} * b);
      is_signed = false;
      break;
  }
  std::uint64_t result = static_cast<std::uint64_t>(exact) & mask_of(bits);
  overflowed = is_signed ? exact != signed_of(result, bits) : static_cast<Wide>(exact) != result;
  return result;
}

Wide integer_function(IntegerFunction function, unsigned bits, Wide a, Wide b, Wide c) {
  SignedWide signed_a = wide_signed(a, bits), signed_b = wide_signed(b, bits);
  switch (function) {
    case IntegerFunction::population_count: return population_count(a);
    case IntegerFunction::leading_zeros: return leading_zeros(a, bits);
    case IntegerFunction::trailing_zeros: return trailing_zeros(a, bits);
    case IntegerFunction::byte_swap: return reverse(a, bits, 8);
    case IntegerFunction::bit_reverse: return reverse(a, bits, 1);
    case IntegerFunction::funnel_left: return funnel(a, b, c, bits, true);
    case IntegerFunction::funnel_right: return funnel(a, b, c, bits, false);
    case IntegerFunction::absolute: return signed_a < 0 ? (Wide{0} - a) & wide_mask(bits) : a;
    case IntegerFunction::signed_min: return signed_a < signed_b ? a : b;
    case IntegerFunction::signed_max: return signed_a > signed_b ? a : b;
    case IntegerFunction::unsigned_min: return a < b ? a : b;
    case IntegerFunction::unsigned_max: return a > b ? a : b;
    default: break;
  }
  // Saturating arithmetic is defined up to 64 bits, where 128 bits hold every exact result.
  SignedWide high = static_cast<SignedWide>(wide_mask(bits) >> 1), low = -high - 1;
  auto unsigned_high = static_cast<SignedWide>(wide_mask(bits));
  auto plain_a = static_cast<SignedWide>(a), plain_b = static_cast<SignedWide>(b);
  switch (function) {
    case IntegerFunction::signed_add_saturated: return saturate(signed_a + signed_b, low, high, bits);
    case IntegerFunction::signed_sub_saturated: return saturate(signed_a - signed_b, low, high, bits);
    case IntegerFunction::unsigned_add_saturated: return saturate(plain_a + plain_b, 0, unsigned_high, bits);
    case IntegerFunction::unsigned_sub_saturated: return saturate(plain_a - plain_b, 0, unsigned_high, bits);
    default: HEDDLE_CHECK(false, "every integer function is implemented");
  }
  return 0;
}

Value read_modify_write(RmwOp op, unsigned size, Value old_value, Value operand) {
  unsigned bits = size * 8;
  Wide a = wide_of(old_value), b = wide_of(operand) & wide_mask(bits);
  auto signed_less = [&](Wide x, Wide y) { return wide_signed(x, bits) < wide_signed(y, bits); };
  Wide result = 0;
  switch (op) {
    case RmwOp::exchange: result = b; break;
    case RmwOp::add: result = a + b; break;
    case RmwOp::subtract: result = a - b; break;
    case RmwOp::bit_and: result = a & b; break;
    case RmwOp::bit_nand: result = ~(a & b); break;
    case RmwOp::bit_or: result = a | b; break;
    case RmwOp::bit_xor: result = a ^ b; break;
    case RmwOp::signed_max: result = signed_less(a, b) ? b : a; break;
    case RmwOp::signed_min: result = signed_less(a, b) ? a : b; break;
    case RmwOp::unsigned_max: result = a < b ? b : a; break;
    case RmwOp::unsigned_min: result = a < b ? a : b; break;
    case RmwOp::increment_wrap: result = a >= b ? 0 : a + 1; break;
    case RmwOp::decrement_wrap: result = a == 0 || a > b ? b : a - 1; break;
    case RmwOp::float_add: result = float_binary(FloatOp::add, bits, a, b); break;
    case RmwOp::float_subtract: result = float_binary(FloatOp::subtract, bits, a, b); break;
  }
  return value_of(result & wide_mask(bits));
}

Wide float_binary(FloatOp op, unsigned bits, Wide a, Wide b) {
  return with_type(bits, [&](auto type) {
    using Float = decltype(type);
    return bits_of(apply(op, float_of<Float>(a), float_of<Float>(b)));
  });
}

bool float_compare(FloatPredicate predicate, unsigned bits, Wide a, Wide b) {
  long double x = as_widest(a, bits), y = as_widest(b, bits);
  unsigned relation = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
  return (predicate & relation) != 0;
}

Wide float_function(FloatFunction function, unsigned bits, Wide a, Wide b, Wide c) {
  return with_type(bits, [&](auto type) {
    using Float = decltype(type);
    return bits_of(apply(function, float_of<Float>(a), float_of<Float>(b), float_of<Float>(c)));
  });
}

Wide convert_float(Opcode op, unsigned from, unsigned to, Wide a) {
  auto to_bits = [to](auto number) {
    return with_type(to, [&](auto type) { return bits_of(static_cast<decltype(type)>(number)); });
  };
  switch (op) {
    case Opcode::float_to_float: return from == to ? a : to_bits(as_widest(a, from));
    case Opcode::float_to_signed: return float_to_integer(as_widest(a, from), to, true);
    case Opcode::float_to_unsigned: return float_to_integer(as_widest(a, from), to, false);
    case Opcode::signed_to_float: return to_bits(wide_signed(a, from));
    case Opcode::unsigned_to_float: return to_bits(a & wide_mask(from));
    default: HEDDLE_CHECK(false, "only conversions convert");
  }
  return 0;
}

}  // namespace heddle::machine
