// The arithmetic of the second interpreter, written from the comments in bytecode/instruction.h. All values are bit
// patterns of `bits` bits in 128; results are cut to their width. Tested in arithmetic_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "bytecode/instruction.h"

namespace heddle::validate {

using Bits = unsigned __int128;
using SignedBits = __int128;

Bits cut(Bits value, unsigned bits);             // the low `bits` bits
SignedBits as_signed(Bits value, unsigned bits);  // of a value that is already cut

// add to bit_xor and the comparisons. Nothing if a division has no result; then `by_zero` tells why.
std::optional<Bits> integer_binary(bytecode::Opcode op, unsigned bits, Bits a, Bits b, bool& by_zero);
Bits overflow_result(bytecode::OverflowOp op, unsigned bits, Bits a, Bits b, bool& overflowed);
Bits integer_function(bytecode::IntegerFunction function, unsigned bits, Bits a, Bits b, Bits c);
Bits updated(bytecode::RmwOp op, unsigned bits, Bits old, Bits operand);

Bits float_binary(bytecode::FloatOp op, unsigned bits, Bits a, Bits b);
bool float_compare(bytecode::FloatPredicate predicate, unsigned bits, Bits a, Bits b);
Bits float_function(bytecode::FloatFunction function, unsigned bits, Bits a, Bits b, Bits c);
// float_to_float to unsigned_to_float; a value that the integer cannot hold gives its lowest one with the sign bit set.
Bits converted(bytecode::Opcode op, unsigned from, unsigned to, Bits a);

}  // namespace heddle::validate
