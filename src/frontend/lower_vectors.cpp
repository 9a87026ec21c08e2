// What scalarize_vectors leaves of vectors: taking elements out and putting them in, and bit casts. A vector is
// flattened like an array, so the first two cost nothing. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include "base/check.h"
#include "frontend/function_lowering.h"

namespace heddle::frontend {

namespace {

constexpr unsigned word_bits = 64;

// The bits of one element; of the whole value if it is a scalar.
const llvm::Type* element_of(const llvm::Type* type) { return type->getScalarType(); }

std::optional<unsigned> constant_index(const llvm::Value* index, const llvm::Type* vector) {
  const auto* known = llvm::dyn_cast<llvm::ConstantInt>(index);
  const unsigned count = llvm::cast<llvm::FixedVectorType>(vector)->getNumElements();
  if (!known || !known->getValue().ult(count)) return std::nullopt;
  return static_cast<unsigned>(known->getZExtValue());
}

}  // namespace

void FunctionLowering::lower_extract(const llvm::ExtractElementInst& extract) {
  const auto index = constant_index(extract.getIndexOperand(), extract.getVectorOperandType());
  if (!index) return unsupported(extract, "an element of a vector whose number is not a constant is not supported");
  const Slots whole = slots_of(extract.getVectorOperand());
  const auto count = static_cast<unsigned>(slot_count(extract.getType()));
  define(extract, Slots(whole.begin() + *index * count, whole.begin() + (*index + 1) * count));
}

void FunctionLowering::lower_insert(const llvm::InsertElementInst& insert) {
  const auto index = constant_index(insert.getOperand(2), insert.getType());
  if (!index) return unsupported(insert, "an element of a vector whose number is not a constant is not supported");
  Slots whole = slots_of(insert.getOperand(0));
  const Slots part = slots_of(insert.getOperand(1));
  std::copy(part.begin(), part.end(), whole.begin() + *index * part.size());
  define(insert, whole);
}

Slots FunctionLowering::pack(const llvm::Type* type, const Slots& slots) {
  const unsigned bits = bits_of(element_of(type));
  if (bits >= word_bits) return slots;
  HEDDLE_CHECK(word_bits % bits == 0, "elements of a vector that is packed do not cross words");
  const unsigned per_word = word_bits / bits;
  Slots words;
  for (unsigned i = 0; i < slots.size(); ++i) {
    const unsigned shift = i % per_word * bits;
    if (shift == 0) {
      words.push_back(slots[i]);
      continue;
    }
    const Operand shifted = code_.new_register(), joined = code_.new_register();
    code_.emit({.op = Opcode::shl, .bits = word_bits, .dst = shifted, .a = slots[i], .b = constant(shift)});
    code_.emit({.op = Opcode::bit_or, .bits = word_bits, .dst = joined, .a = words.back(), .b = shifted});
    words.back() = joined;
  }
  return words;
}

Slots FunctionLowering::unpack(const llvm::Type* type, const Slots& words) {
  const unsigned bits = bits_of(element_of(type));
  if (bits >= word_bits) return words;
  HEDDLE_CHECK(word_bits % bits == 0, "elements of a vector that is unpacked do not cross words");
  const unsigned per_word = word_bits / bits, count = static_cast<unsigned>(slot_count(type));
  Slots slots;
  for (unsigned i = 0; i < count; ++i) {
    Operand part = words[i / per_word];
    if (const unsigned shift = i % per_word * bits; shift != 0) {
      const Operand shifted = code_.new_register();
      code_.emit({.op = Opcode::lshr, .bits = word_bits, .dst = shifted, .a = part, .b = constant(shift)});
      part = shifted;
    }
    const Operand cut = code_.new_register();
    code_.emit({.op = Opcode::truncate, .bits = static_cast<std::uint8_t>(bits), .dst = cut, .a = part});
    slots.push_back(cut);
  }
  return slots;
}

void FunctionLowering::lower_bit_cast(const llvm::CastInst& cast) {
  const llvm::Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  const Slots source = slots_of(cast.getOperand(0));
  const unsigned from_bits = bits_of(element_of(from)), to_bits = bits_of(element_of(to));
  if (from_bits == to_bits) return define(cast, source);
  const auto fits = [](unsigned bits) { return bits == 128 || (bits <= word_bits && word_bits % bits == 0); };
  if (!fits(from_bits) || !fits(to_bits)) {
    return unsupported(
        cast, fmt::format("a bit cast between elements of {} and of {} bits is not supported", from_bits, to_bits));
  }
  define(cast, unpack(to, pack(from, source)));
}

}  // namespace heddle::frontend
