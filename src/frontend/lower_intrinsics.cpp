// LLVM's intrinsic functions. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <optional>

#include "frontend/function_lowering.h"

namespace heddle::frontend {

using bytecode::FloatFunction;
using bytecode::IntegerFunction;
using bytecode::LibraryCall;
using bytecode::OverflowOp;
using llvm::Intrinsic::ID;

namespace {

std::optional<IntegerFunction> integer_function(ID id) {
  switch (id) {
    case llvm::Intrinsic::ctpop: return IntegerFunction::population_count;
    case llvm::Intrinsic::ctlz: return IntegerFunction::leading_zeros;
    case llvm::Intrinsic::cttz: return IntegerFunction::trailing_zeros;
    case llvm::Intrinsic::bswap: return IntegerFunction::byte_swap;
    case llvm::Intrinsic::bitreverse: return IntegerFunction::bit_reverse;
    case llvm::Intrinsic::fshl: return IntegerFunction::funnel_left;
    case llvm::Intrinsic::fshr: return IntegerFunction::funnel_right;
    case llvm::Intrinsic::abs: return IntegerFunction::absolute;
    case llvm::Intrinsic::smin: return IntegerFunction::signed_min;
    case llvm::Intrinsic::smax: return IntegerFunction::signed_max;
    case llvm::Intrinsic::umin: return IntegerFunction::unsigned_min;
    case llvm::Intrinsic::umax: return IntegerFunction::unsigned_max;
    case llvm::Intrinsic::sadd_sat: return IntegerFunction::signed_add_saturated;
    case llvm::Intrinsic::uadd_sat: return IntegerFunction::unsigned_add_saturated;
    case llvm::Intrinsic::ssub_sat: return IntegerFunction::signed_sub_saturated;
    case llvm::Intrinsic::usub_sat: return IntegerFunction::unsigned_sub_saturated;
    default: return std::nullopt;
  }
}

std::optional<OverflowOp> overflow_operation(ID id) {
  switch (id) {
    case llvm::Intrinsic::sadd_with_overflow: return OverflowOp::signed_add;
    case llvm::Intrinsic::uadd_with_overflow: return OverflowOp::unsigned_add;
    case llvm::Intrinsic::ssub_with_overflow: return OverflowOp::signed_sub;
    case llvm::Intrinsic::usub_with_overflow: return OverflowOp::unsigned_sub;
    case llvm::Intrinsic::smul_with_overflow: return OverflowOp::signed_mul;
    case llvm::Intrinsic::umul_with_overflow: return OverflowOp::unsigned_mul;
    default: return std::nullopt;
  }
}

std::optional<FloatFunction> float_function(ID id) {
  switch (id) {
    case llvm::Intrinsic::sqrt: return FloatFunction::square_root;
    case llvm::Intrinsic::fabs: return FloatFunction::absolute;
    case llvm::Intrinsic::floor: return FloatFunction::floor;
    case llvm::Intrinsic::ceil: return FloatFunction::ceiling;
    case llvm::Intrinsic::trunc: return FloatFunction::truncate;
    case llvm::Intrinsic::round: return FloatFunction::round;
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::roundeven: return FloatFunction::round_even;
    case llvm::Intrinsic::minnum: return FloatFunction::minimum;
    case llvm::Intrinsic::maxnum: return FloatFunction::maximum;
    case llvm::Intrinsic::copysign: return FloatFunction::copy_sign;
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd: return FloatFunction::fused_multiply_add;
    case llvm::Intrinsic::pow: return FloatFunction::power;
    case llvm::Intrinsic::exp: return FloatFunction::exponential;
    case llvm::Intrinsic::log: return FloatFunction::logarithm;
    case llvm::Intrinsic::sin: return FloatFunction::sine;
    case llvm::Intrinsic::cos: return FloatFunction::cosine;
    default: return std::nullopt;
  }
}

}  // namespace

void FunctionLowering::lower_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  if (lower_memory_intrinsic(intrinsic) || lower_integer_intrinsic(intrinsic) || lower_overflow_intrinsic(intrinsic) ||
      lower_float_intrinsic(intrinsic) || lower_simple_intrinsic(intrinsic)) {
    return;
  }
  unsupported(intrinsic, fmt::format("the intrinsic function '{}' is not supported",
                                     intrinsic.getCalledFunction()->getName().str()));
}

bool FunctionLowering::lower_memory_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::memcpy:
    case llvm::Intrinsic::memcpy_inline: lower_block_operation(intrinsic, Opcode::memory_copy); return true;
    case llvm::Intrinsic::memmove: lower_block_operation(intrinsic, Opcode::memory_move); return true;
    case llvm::Intrinsic::memset:
    case llvm::Intrinsic::memset_inline: lower_block_operation(intrinsic, Opcode::memory_set); return true;
    case llvm::Intrinsic::vastart: {
      const Operand list = operand(intrinsic.getArgOperand(0));
      code_.emit({.op = Opcode::va_start, .a = list});
      return true;
    }
    case llvm::Intrinsic::vacopy: {
      const Operand to = operand(intrinsic.getArgOperand(0)), from = operand(intrinsic.getArgOperand(1));
      code_.emit({.op = Opcode::va_copy, .a = to, .b = from});
      return true;
    }
    case llvm::Intrinsic::stacksave:
      code_.emit({.op = Opcode::stack_save, .bits = 64, .dst = result(intrinsic)});
      return true;
    case llvm::Intrinsic::stackrestore: {
      const Operand token = operand(intrinsic.getArgOperand(0));
      code_.emit({.op = Opcode::stack_restore, .a = token});
      return true;
    }
    case llvm::Intrinsic::threadlocal_address: lower_thread_local_address(intrinsic); return true;
    default: return false;
  }
}

void FunctionLowering::lower_thread_local_address(const llvm::IntrinsicInst& intrinsic) {
  define(intrinsic, slots_of(intrinsic.getArgOperand(0)));
}

bool FunctionLowering::lower_integer_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  const auto function = integer_function(intrinsic.getIntrinsicID());
  if (!function) return false;
  const unsigned bits = bits_of(intrinsic.getType());
  const bool one_operand = *function <= IntegerFunction::bit_reverse || *function == IntegerFunction::absolute;
  const bool three_operands = *function == IntegerFunction::funnel_left || *function == IntegerFunction::funnel_right;
  if (bits == 128 && *function > IntegerFunction::byte_swap) return false;
  Instruction instruction{.op = Opcode::integer_function, .bits = static_cast<std::uint8_t>(bits)};
  instruction.a = operand(intrinsic.getArgOperand(0));
  if (!one_operand) instruction.b = operand(intrinsic.getArgOperand(1));
  if (three_operands) instruction.c = operand(intrinsic.getArgOperand(2));
  instruction.d = static_cast<std::uint32_t>(*function);
  instruction.dst = result(intrinsic);
  code_.emit(instruction);
  return true;
}

bool FunctionLowering::lower_overflow_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  const auto op = overflow_operation(intrinsic.getIntrinsicID());
  if (!op) return false;
  const unsigned bits = bits_of(intrinsic.getArgOperand(0)->getType());
  if (bits > 64) return false;
  const Operand a = operand(intrinsic.getArgOperand(0)), b = operand(intrinsic.getArgOperand(1));
  const Operand pair = code_.new_registers(2);
  code_.emit({.op = Opcode::overflow_arithmetic,
              .bits = static_cast<std::uint8_t>(bits),
              .dst = pair,
              .a = a,
              .b = b,
              .c = static_cast<std::uint32_t>(*op)});
  define(intrinsic, Slots{pair, pair + 1});
  return true;
}

bool FunctionLowering::lower_float_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  const auto function = float_function(intrinsic.getIntrinsicID());
  if (!function) return false;
  emit_float_function(intrinsic, *function);
  return true;
}

void FunctionLowering::emit_float_function(const llvm::CallBase& call, FloatFunction function) {
  Instruction instruction{.op = Opcode::float_function, .bits = static_cast<std::uint8_t>(bits_of(call.getType()))};
  if (call.arg_size() > 0) instruction.a = operand(call.getArgOperand(0));
  if (call.arg_size() > 1) instruction.b = operand(call.getArgOperand(1));
  if (call.arg_size() > 2) instruction.c = operand(call.getArgOperand(2));
  instruction.d = static_cast<std::uint32_t>(function);
  instruction.dst = result(call);
  code_.emit(instruction);
}

bool FunctionLowering::lower_simple_intrinsic(const llvm::IntrinsicInst& intrinsic) {
  switch (intrinsic.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::invariant_start:
    case llvm::Intrinsic::invariant_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::var_annotation:
    case llvm::Intrinsic::prefetch:
    case llvm::Intrinsic::vaend:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
    case llvm::Intrinsic::is_constant:
    case llvm::Intrinsic::frameaddress:
    case llvm::Intrinsic::returnaddress: define_zeros(intrinsic); return true;
    case llvm::Intrinsic::expect:
    case llvm::Intrinsic::expect_with_probability:
    case llvm::Intrinsic::annotation:
    case llvm::Intrinsic::ptr_annotation:
    case llvm::Intrinsic::launder_invariant_group:
    case llvm::Intrinsic::strip_invariant_group:
    case llvm::Intrinsic::arithmetic_fence: define(intrinsic, slots_of(intrinsic.getArgOperand(0))); return true;
    case llvm::Intrinsic::objectsize: {
      const bool least = llvm::cast<llvm::ConstantInt>(intrinsic.getArgOperand(1))->isOne();
      define(intrinsic, constant(least ? 0 : ~std::uint64_t{0}));
      return true;
    }
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::ubsantrap:
      code_.emit({.op = Opcode::library, .d = static_cast<std::uint32_t>(LibraryCall::abort_program)});
      return true;
    case llvm::Intrinsic::x86_sse2_mfence:
      code_.emit({.op = Opcode::fence, .order = MemoryOrder::seq_cst});
      return true;
    case llvm::Intrinsic::x86_sse2_pause: return true;
    case llvm::Intrinsic::ptrmask: {
      const Operand pointer = operand(intrinsic.getArgOperand(0)), mask = operand(intrinsic.getArgOperand(1));
      code_.emit({.op = Opcode::bit_and, .bits = 64, .dst = result(intrinsic), .a = pointer, .b = mask});
      return true;
    }
    default: return false;
  }
}

}  // namespace heddle::frontend
