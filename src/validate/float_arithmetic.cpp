// Floating point, on the host's float, double and 80-bit long double. See arithmetic.h.
#include <cmath>
#include <cstring>

#include "base/check.h"
#include "validate/arithmetic.h"

namespace heddle::validate {

using bytecode::FloatFunction;
using bytecode::FloatOp;
using bytecode::Opcode;

namespace {

template <class Float>
Float load(Bits bits) {
  Float value = 0;
  std::memcpy(&value, &bits, sizeof(Float) > 8 ? 10 : sizeof(Float));
  return value;
}

template <class Float>
Bits store(Float value) {
  Bits bits = 0;
  std::memcpy(&bits, &value, sizeof(Float) > 8 ? 10 : sizeof(Float));
  return bits;
}

template <class Float>
Bits calculate(FloatOp op, Bits a, Bits b) {
  const Float x = load<Float>(a), y = load<Float>(b);
  switch (op) {
    case FloatOp::add: return store<Float>(x + y);
    case FloatOp::subtract: return store<Float>(x - y);
    case FloatOp::multiply: return store<Float>(x * y);
    case FloatOp::divide: return store<Float>(x / y);
    case FloatOp::remainder: return store<Float>(std::fmod(x, y));
  }
  HEDDLE_CHECK(false, "a floating-point operation that does not exist");
  return 0;
}

template <class Float>
unsigned relation_between(Bits a, Bits b) {
  const Float x = load<Float>(a), y = load<Float>(b);
  if (std::isnan(x) || std::isnan(y)) return 1u << 3;
  if (x < y) return 1u << 2;
  return x > y ? 1u << 1 : 1u << 0;
}

template <class Float>
Bits calculate(FloatFunction function, Bits a, Bits b, Bits c) {
  const Float x = load<Float>(a), y = load<Float>(b), z = load<Float>(c);
  switch (function) {
    case FloatFunction::negate: return store<Float>(-x);
    case FloatFunction::absolute: return store<Float>(std::fabs(x));
    case FloatFunction::square_root: return store<Float>(std::sqrt(x));
    case FloatFunction::floor: return store<Float>(std::floor(x));
    case FloatFunction::ceiling: return store<Float>(std::ceil(x));
    case FloatFunction::truncate: return store<Float>(std::trunc(x));
    case FloatFunction::round: return store<Float>(std::round(x));
    case FloatFunction::round_even: return store<Float>(std::nearbyint(x));
    case FloatFunction::minimum: return store<Float>(std::fmin(x, y));
    case FloatFunction::maximum: return store<Float>(std::fmax(x, y));
    case FloatFunction::copy_sign: return store<Float>(std::copysign(x, y));
    case FloatFunction::fused_multiply_add: return store<Float>(std::fma(x, y, z));
    case FloatFunction::power: return store<Float>(std::pow(x, y));
    case FloatFunction::exponential: return store<Float>(std::exp(x));
    case FloatFunction::logarithm: return store<Float>(std::log(x));
    case FloatFunction::sine: return store<Float>(std::sin(x));
    case FloatFunction::cosine: return store<Float>(std::cos(x));
  }
  HEDDLE_CHECK(false, "a floating-point function that does not exist");
  return 0;
}

long double number_of(unsigned bits, Bits a) {
  if (bits == 32) return load<float>(a);
  if (bits == 64) return load<double>(a);
  return load<long double>(a);
}

template <class Number>
Bits float_of(unsigned bits, Number number) {
  if (bits == 32) return store<float>(static_cast<float>(number));
  if (bits == 64) return store<double>(static_cast<double>(number));
  return store<long double>(static_cast<long double>(number));
}

}  // namespace

Bits float_binary(FloatOp op, unsigned bits, Bits a, Bits b) {
  if (bits == 32) return calculate<float>(op, a, b);
  return bits == 64 ? calculate<double>(op, a, b) : calculate<long double>(op, a, b);
}

bool float_compare(bytecode::FloatPredicate predicate, unsigned bits, Bits a, Bits b) {
  const unsigned relation = bits == 32   ? relation_between<float>(a, b)
                            : bits == 64 ? relation_between<double>(a, b)
                                         : relation_between<long double>(a, b);
  return (predicate & relation) != 0;
}

Bits float_function(FloatFunction function, unsigned bits, Bits a, Bits b, Bits c) {
  if (bits == 32) return calculate<float>(function, a, b, c);
  return bits == 64 ? calculate<double>(function, a, b, c) : calculate<long double>(function, a, b, c);
}

Bits converted(Opcode op, unsigned from, unsigned to, Bits a) {
  switch (op) {
    case Opcode::float_to_float: return from == to ? a : float_of(to, number_of(from, a));
    case Opcode::signed_to_float: return float_of(to, as_signed(cut(a, from), from));
    case Opcode::unsigned_to_float: return float_of(to, cut(a, from));
    default: break;
  }
  const bool with_sign = op == Opcode::float_to_signed;
  const long double whole = std::trunc(number_of(from, a));
  const long double top = std::ldexp(1.0L, static_cast<int>(to));  // 2^to
  const bool fits = with_sign ? whole >= -top / 2 && whole < top / 2 : whole >= 0 && whole < top;
  if (!fits) return Bits{1} << (to - 1);
  return cut(with_sign ? static_cast<Bits>(static_cast<SignedBits>(whole)) : static_cast<Bits>(whole), to);
}

}  // namespace heddle::validate
