// Arithmetic, comparisons, casts, selects, aggregates and address computations. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Operator.h>

#include "frontend/function_lowering.h"

namespace heddle::frontend {

namespace {

Opcode integer_opcode(llvm::Instruction::BinaryOps op) {
  switch (op) {
    case llvm::Instruction::Add: return Opcode::add;
    case llvm::Instruction::Sub: return Opcode::sub;
    case llvm::Instruction::Mul: return Opcode::mul;
    case llvm::Instruction::UDiv: return Opcode::udiv;
    case llvm::Instruction::SDiv: return Opcode::sdiv;
    case llvm::Instruction::URem: return Opcode::urem;
    case llvm::Instruction::SRem: return Opcode::srem;
    case llvm::Instruction::Shl: return Opcode::shl;
    case llvm::Instruction::LShr: return Opcode::lshr;
    case llvm::Instruction::AShr: return Opcode::ashr;
    case llvm::Instruction::And: return Opcode::bit_and;
    case llvm::Instruction::Or: return Opcode::bit_or;
    default: return Opcode::bit_xor;
  }
}

bytecode::FloatOp float_operation(llvm::Instruction::BinaryOps op) {
  switch (op) {
    case llvm::Instruction::FAdd: return bytecode::FloatOp::add;
    case llvm::Instruction::FSub: return bytecode::FloatOp::subtract;
    case llvm::Instruction::FMul: return bytecode::FloatOp::multiply;
    case llvm::Instruction::FDiv: return bytecode::FloatOp::divide;
    default: return bytecode::FloatOp::remainder;
  }
}

}  // namespace

void FunctionLowering::lower_binary(const llvm::BinaryOperator& binary) {
  const Operand a = operand(binary.getOperand(0)), b = operand(binary.getOperand(1));
  const unsigned bits = bits_of(binary.getType());
  if (binary.getType()->isFloatingPointTy()) {
    code_.emit({.op = Opcode::float_binary,
                .bits = byte(bits),
                .dst = result(binary),
                .a = a,
                .b = b,
                .c = static_cast<std::uint32_t>(float_operation(binary.getOpcode()))});
    return;
  }
  code_.emit({.op = integer_opcode(binary.getOpcode()), .bits = byte(bits), .dst = result(binary), .a = a, .b = b});
}

void FunctionLowering::lower_compare(const llvm::CmpInst& compare) {
  Operand a = operand(compare.getOperand(0)), b = operand(compare.getOperand(1));
  const unsigned bits = bits_of(compare.getOperand(0)->getType());
  if (llvm::isa<llvm::FCmpInst>(compare)) {
    code_.emit({.op = Opcode::float_compare,
                .bits = byte(bits),
                .dst = result(compare),
                .a = a,
                .b = b,
                .c = static_cast<std::uint32_t>(compare.getPredicate())});
    return;
  }
  Opcode op = Opcode::equal;
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_EQ: op = Opcode::equal; break;
    case llvm::CmpInst::ICMP_NE: op = Opcode::not_equal; break;
    case llvm::CmpInst::ICMP_UGT: std::swap(a, b); [[fallthrough]];
    case llvm::CmpInst::ICMP_ULT: op = Opcode::unsigned_less; break;
    case llvm::CmpInst::ICMP_UGE: std::swap(a, b); [[fallthrough]];
    case llvm::CmpInst::ICMP_ULE: op = Opcode::unsigned_less_equal; break;
    case llvm::CmpInst::ICMP_SGT: std::swap(a, b); [[fallthrough]];
    case llvm::CmpInst::ICMP_SLT: op = Opcode::signed_less; break;
    case llvm::CmpInst::ICMP_SGE: std::swap(a, b); [[fallthrough]];
    default: op = Opcode::signed_less_equal; break;
  }
  code_.emit({.op = op, .bits = byte(bits), .dst = result(compare), .a = a, .b = b});
}

void FunctionLowering::lower_cast(const llvm::CastInst& cast) {
  const Slots source = slots_of(cast.getOperand(0));
  const unsigned from = bits_of(cast.getOperand(0)->getType()), to = bits_of(cast.getType());
  const auto convert = [&](Opcode op) {
    const Operand a = neighbours(source);
    code_.emit({.op = op, .bits = byte(from), .dst = result(cast), .a = a, .c = to});
  };
  switch (cast.getOpcode()) {
    case llvm::Instruction::ZExt:
      // Registers are kept zero-extended.
      if (to <= 64) return define(cast, source);
      code_.emit({.op = Opcode::zero_extend_128, .bits = byte(from), .dst = result(cast), .a = source[0]});
      return;
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc:
      if (to == from) return define(cast, source);
      if (to == 64) return define(cast, source[0]);
      if (to > 64) {
        code_.emit({.op = Opcode::zero_extend_128, .bits = byte(from), .dst = result(cast), .a = source[0]});
        return;
      }
      code_.emit({.op = Opcode::truncate, .bits = byte(to), .dst = result(cast), .a = source[0]});
      return;
    case llvm::Instruction::IntToPtr: return define(cast, source[0]);
    case llvm::Instruction::BitCast: return lower_bit_cast(cast);
    case llvm::Instruction::AddrSpaceCast: return define(cast, source);
    case llvm::Instruction::SExt: return convert(Opcode::sign_extend);
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt: return convert(Opcode::float_to_float);
    case llvm::Instruction::FPToSI: return convert(Opcode::float_to_signed);
    case llvm::Instruction::FPToUI: return convert(Opcode::float_to_unsigned);
    case llvm::Instruction::SIToFP: return convert(Opcode::signed_to_float);
    case llvm::Instruction::UIToFP: return convert(Opcode::unsigned_to_float);
    default: unsupported(cast, fmt::format("the conversion '{}' is not supported", cast.getOpcodeName()));
  }
}

void FunctionLowering::lower_select(const llvm::SelectInst& select) {
  const Operand condition = operand(select.getCondition());
  const Slots yes = slots_of(select.getTrueValue()), no = slots_of(select.getFalseValue());
  const bool wide = bits_of(select.getType()) > 64;
  const Operand pair = wide ? code_.new_registers(2) : 0;
  Slots chosen;
  for (unsigned i = 0; i < yes.size(); ++i) {
    const Operand slot = wide ? pair + i : code_.new_register();
    code_.emit({.op = Opcode::select, .bits = 64, .dst = slot, .a = condition, .b = yes[i], .c = no[i]});
    chosen.push_back(slot);
  }
  define(select, chosen);
}

unsigned FunctionLowering::slots_before(const llvm::Type* type, llvm::ArrayRef<unsigned> indices) const {
  unsigned before = 0;
  for (const unsigned index : indices) {
    if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
      type = array->getElementType();
      before += index * static_cast<unsigned>(slot_count(type));
      continue;
    }
    const auto* structure = llvm::cast<llvm::StructType>(type);
    for (unsigned i = 0; i < index; ++i) before += static_cast<unsigned>(slot_count(structure->getElementType(i)));
    type = structure->getElementType(index);
  }
  return before;
}

void FunctionLowering::lower_extract(const llvm::ExtractValueInst& extract) {
  const Slots whole = slots_of(extract.getAggregateOperand());
  const unsigned before = slots_before(extract.getAggregateOperand()->getType(), extract.getIndices());
  const auto count = static_cast<unsigned>(slot_count(extract.getType()));
  define(extract, Slots(whole.begin() + before, whole.begin() + before + count));
}

void FunctionLowering::lower_insert(const llvm::InsertValueInst& insert) {
  Slots whole = slots_of(insert.getAggregateOperand());
  const unsigned before = slots_before(insert.getAggregateOperand()->getType(), insert.getIndices());
  const Slots part = slots_of(insert.getInsertedValueOperand());
  std::copy(part.begin(), part.end(), whole.begin() + before);
  define(insert, whole);
}

Operand FunctionLowering::widen_index(const llvm::Value* index) {
  const Operand value = slots_of(index)[0];
  const unsigned bits = bits_of(index->getType());
  if (bits >= 64) return value;
  const Operand wide = code_.new_register();
  code_.emit({.op = Opcode::sign_extend, .bits = byte(bits), .dst = wide, .a = value, .c = 64});
  return wide;
}

void FunctionLowering::lower_element_address(const llvm::GetElementPtrInst& element) {
  std::uint64_t fixed = 0;
  Operand sum = slots_of(element.getPointerOperand())[0];
  for (auto step = llvm::gep_type_begin(element), end = llvm::gep_type_end(element); step != end; ++step) {
    const llvm::Value* index = step.getOperand();
    if (llvm::StructType* structure = step.getStructTypeOrNull()) {
      const auto field = static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue());
      fixed += layout_.getStructLayout(structure)->getElementOffset(field);
      continue;
    }
    const std::uint64_t stride = step.getSequentialElementStride(layout_);
    if (const auto* known = llvm::dyn_cast<llvm::ConstantInt>(index)) {
      fixed += static_cast<std::uint64_t>(known->getValue().sextOrTrunc(64).getSExtValue()) * stride;
      continue;
    }
    Operand offset = widen_index(index);
    if (stride != 1) {
      const Operand scaled = code_.new_register();
      code_.emit({.op = Opcode::mul, .bits = 64, .dst = scaled, .a = offset, .b = constant(stride)});
      offset = scaled;
    }
    sum = add_addresses(sum, offset);
  }
  define(element, add_addresses(sum, constant(fixed)));
}

}  // namespace heddle::frontend
