// What the arithmetic instructions compute, as pure functions of bits. Integers of up to 64 bits are kept
// zero-extended in 64; the functions return them so. Tested in arithmetic_test.cpp.
#pragma once

#include <cstdint>

#include "base/value.h"
#include "bytecode/instruction.h"

namespace heddle::machine {

using Wide = unsigned __int128;
using SignedWide = __int128;

// 1 <= bits <= 64 in all of these.
inline std::uint64_t mask_of(unsigned bits) { return ~std::uint64_t{0} >> (64 - bits); }
inline std::int64_t signed_of(std::uint64_t value, unsigned bits) {
  return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}

inline Wide wide_of(std::uint64_t low, std::uint64_t high) { return Wide{high} << 64 | low; }
inline Wide wide_of(Value value) { return wide_of(value.low, value.high); }
inline Value value_of(Wide wide) { return {static_cast<std::uint64_t>(wide), static_cast<std::uint64_t>(wide >> 64)}; }

inline std::uint64_t shift_left(std::uint64_t a, std::uint64_t b, unsigned bits) {
  return b >= bits ? 0 : (a << b) & mask_of(bits);
}
inline std::uint64_t shift_right(std::uint64_t a, std::uint64_t b, unsigned bits) { return b >= bits ? 0 : a >> b; }
inline std::uint64_t shift_right_signed(std::uint64_t a, std::uint64_t b, unsigned bits) {
  return static_cast<std::uint64_t>(signed_of(a, bits) >> (b >= bits ? bits - 1 : b)) & mask_of(bits);
}
inline Wide wide_shift_left(Wide a, Wide b) { return b >= 128 ? 0 : a << static_cast<unsigned>(b); }
inline Wide wide_shift_right(Wide a, Wide b) { return b >= 128 ? 0 : a >> static_cast<unsigned>(b); }
inline Wide wide_shift_right_signed(Wide a, Wide b) {
  return static_cast<Wide>(static_cast<SignedWide>(a) >> (b >= 128 ? 127 : static_cast<unsigned>(b)));
}

// Division: why it cannot be done, if it cannot.
enum class DivisionProblem : std::uint8_t { none, by_zero, overflow };
DivisionProblem division_problem(bytecode::Opcode op, unsigned bits, Wide a, Wide b);
// udiv, sdiv, urem, srem of operands without a problem; `bits` 1..64 or 128.
Wide divide(bytecode::Opcode op, unsigned bits, Wide a, Wide b);

// The result and whether it overflowed; `bits` 1..64.
std::uint64_t overflow_arithmetic(bytecode::OverflowOp op, unsigned bits, std::uint64_t a, std::uint64_t b,
                                  bool& overflowed);

// `bits` 1..64 or 128.
Wide integer_function(bytecode::IntegerFunction function, unsigned bits, Wide a, Wide b, Wide c);

// The new contents of memory; `size` in bytes, 1..16.
Value read_modify_write(bytecode::RmwOp op, unsigned size, Value old_value, Value operand);

// Floating point; `bits` 32, 64 or 80.
Wide float_binary(bytecode::FloatOp op, unsigned bits, Wide a, Wide b);
bool float_compare(bytecode::FloatPredicate predicate, unsigned bits, Wide a, Wide b);
Wide float_function(bytecode::FloatFunction function, unsigned bits, Wide a, Wide b, Wide c);
// Conversions named as their opcodes: `from` and `to` are widths in bits; integers of 1..64 or 128 bits.
Wide convert_float(bytecode::Opcode op, unsigned from, unsigned to, Wide a);

}  // namespace heddle::machine
