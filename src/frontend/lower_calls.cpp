// Calls: of defined functions, through pointers, of library functions, inline assembly. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/InlineAsm.h>

#include "frontend/check_memory_orders.h"
#include "frontend/function_lowering.h"

namespace heddle::frontend {

using bytecode::LibraryCall;

namespace {

const llvm::Function* direct_callee(const llvm::CallBase& call) {
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  return llvm::dyn_cast<llvm::Function>(callee);
}

bool is_number(const llvm::Type* type) { return type->isFloatTy() || type->isDoubleTy() || type->isX86_FP80Ty(); }

// "\n\t mfence " -> "mfence".
std::string trim(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n;");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n;") - begin + 1);
}

}  // namespace

std::string text_argument(const llvm::CallBase& call) {
  const auto* text =
      call.arg_size() == 1 ? llvm::dyn_cast<llvm::GlobalVariable>(call.getArgOperand(0)->stripPointerCasts()) : nullptr;
  const auto* data =
      text && text->hasInitializer() ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
  return data && data->isCString() ? data->getAsCString().str() : "this function is for Heddle's own use";
}

void FunctionLowering::lower_call(const llvm::CallBase& call) {
  if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) return lower_intrinsic(*intrinsic);
  if (call.isInlineAsm()) return lower_assembly(call);
  const llvm::Function* callee = direct_callee(call);
  if (!callee) {
    const Operand address = operand(call.getCalledOperand());
    std::vector<Operand> arguments;
    collect_arguments(call, arguments);
    code_.emit({.op = Opcode::call_indirect, .dst = call_result(call), .a = address}, arguments);
    return;
  }
  if (const auto index = module_.globals().function_index(callee)) return lower_defined_call(call, callee, *index);
  llvm::StringRef name = callee->getName();
  name.consume_front("\01");
  AtomicFunction atomic;
  if (const LibraryFunction* function = find_library_function(name)) return lower_library_call(call, *function, name);
  if (parse_atomic_function(name, atomic)) return lower_atomic_function(call, atomic);
  if (name == bound_annotation) {
    const auto* bound = call.arg_size() == 1 ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr;
    if (!bound || bound->isZero()) unsupported(call, "heddle_unroll: the bound has to be a constant and at least 1");
    return;
  }
  if (name == waiting_function) return;  // told of the loop that it is in
  if (name == "__heddle_unsupported") return unsupported(call, text_argument(call));
  if (name == undefined_behavior_function) {
    code_.emit({.op = Opcode::unreachable, .a = module_.text(text_argument(call))});
    return;
  }
  unsupported(call, fmt::format("{}: the function is neither defined in the program nor known to Heddle", name.str()));
}

void FunctionLowering::lower_assembly(const llvm::CallBase& call) {
  const auto* assembly = llvm::cast<llvm::InlineAsm>(call.getCalledOperand());
  const std::string text = trim(assembly->getAsmString());
  const bool has_result = slot_count(call.getType()) > 0;
  if (!has_result && (text.empty() || text == "pause" || text == "rep; nop" || text == "rep;nop" || text == "nop")) {
    return;  // a hint or a barrier for the compiler
  }
  if (!has_result && (text == "mfence" || text == "lock; addl $$0,0(%rsp)")) {
    code_.emit({.op = Opcode::fence, .order = MemoryOrder::seq_cst});
    return;
  }
  unsupported(call, fmt::format("the inline assembly \"{}\" is not supported", text));
}

// Whether the argument's place in the argument area is a multiple of 16 bytes.
bool FunctionLowering::needs_even_slot(const llvm::CallBase& call, unsigned index) const {
  const llvm::Value* value = call.getArgOperand(index);
  if (call.isByValArgument(index)) return call.getParamAlign(index).valueOrOne().value() > 8;
  if (slot_count(value->getType()) > 0 && layout_.getABITypeAlign(value->getType()).value() > 8) return true;
  // clang passes the halves of a 128-bit integer as arguments of their own: this is the first one.
  const auto* half = llvm::dyn_cast<llvm::LoadInst>(value);
  const auto* variable =
      half ? llvm::dyn_cast<llvm::AllocaInst>(half->getPointerOperand()->stripPointerCasts()) : nullptr;
  return variable && variable->getAllocatedType()->isIntegerTy(128) && half->getType()->isIntegerTy(64);
}

// What goes through "..." lies in the argument area, one slot every 8 bytes: a struct passed by value lies there
// itself, vectors are packed.
void FunctionLowering::append_variadic(const llvm::CallBase& call, std::vector<Operand>& arguments) {
  const std::size_t begin = arguments.size();
  for (unsigned index = call.getFunctionType()->getNumParams(); index < call.arg_size(); ++index) {
    const llvm::Value* value = call.getArgOperand(index);
    if (needs_even_slot(call, index) && (arguments.size() - begin) % 2 != 0) arguments.push_back(constant(0));
    Slots slots;
    if (call.isByValArgument(index)) {
      const std::uint64_t size = layout_.getTypeAllocSize(call.getParamByValType(index));
      const Operand address = operand(value);
      for (std::uint64_t done = 0; done < size; done += 8) {
        const auto bits = static_cast<unsigned>(std::min<std::uint64_t>(8, size - done) * 8);
        load_scalar(bits, add_addresses(address, constant(done)), MemoryOrder::plain, slots);
      }
    } else {
      slots = slots_of(value);
      if (value->getType()->isVectorTy()) slots = pack(value->getType(), slots);
    }
    arguments.insert(arguments.end(), slots.begin(), slots.end());
  }
}

void FunctionLowering::collect_arguments(const llvm::CallBase& call, std::vector<Operand>& arguments) {
  for (unsigned i = 0; i < call.getFunctionType()->getNumParams(); ++i) {
    const Slots slots = slots_of(call.getArgOperand(i));
    arguments.insert(arguments.end(), slots.begin(), slots.end());
  }
  append_variadic(call, arguments);
}

Operand FunctionLowering::call_result(const llvm::CallBase& call) {
  const int count = slot_count(call.getType());
  if (count <= 0) return bytecode::no_operand;
  if (call.use_empty()) return bytecode::no_operand;
  const Operand first = code_.new_registers(static_cast<unsigned>(count));
  Slots slots;
  for (int i = 0; i < count; ++i) slots.push_back(first + static_cast<Operand>(i));
  define(call, slots);
  return first;
}

void FunctionLowering::lower_defined_call(const llvm::CallBase& call, const llvm::Function* callee,
                                          std::uint32_t index) {
  std::vector<Operand> arguments;
  collect_arguments(call, arguments);
  int expected = 0;
  for (const llvm::Argument& parameter : callee->args()) expected += std::max(0, slot_count(parameter.getType()));
  const bool enough = callee->isVarArg() ? arguments.size() >= static_cast<std::size_t>(expected)
                                         : arguments.size() == static_cast<std::size_t>(expected);
  const bool same_result = call.use_empty() || slot_count(call.getType()) == slot_count(callee->getReturnType());
  if (!enough || !same_result) {
    unsupported(call,
                fmt::format("{}: the call does not match the definition of the function", callee->getName().str()));
    return;
  }
  code_.emit({.op = Opcode::call, .dst = call_result(call), .b = index}, arguments);
}

bool FunctionLowering::collect_library_arguments(const llvm::CallBase& call, const LibraryFunction& function,
                                                 std::vector<Operand>& arguments) {
  for (const char letter : function.arguments) {
    if (letter == 'z') {
      arguments.push_back(constant(0));
    } else if (letter == 'o') {
      arguments.push_back(constant(1));
    } else if (letter == 'm') {
      arguments.push_back(constant(~std::uint64_t{0}));
    } else if (letter == '*') {
      append_variadic(call, arguments);
    } else {
      const auto index = static_cast<unsigned>(letter - '0');
      if (index >= call.arg_size()) return false;
      arguments.push_back(slots_of(call.getArgOperand(index))[0]);
    }
  }
  return true;
}

void FunctionLowering::lower_library_call(const llvm::CallBase& call, const LibraryFunction& function,
                                          llvm::StringRef name) {
  const auto misuse = [&] {
    unsupported(call, fmt::format("{}: the call does not match the library's function", name.str()));
  };
  switch (function.kind) {
    case LibraryKind::nothing: return define_zeros(call);
    case LibraryKind::unsupported: return unsupported(call, fmt::format("{}: {}", name.str(), function.text));
    case LibraryKind::copy: return lower_block_operation(call, Opcode::memory_copy);
    case LibraryKind::move: return lower_block_operation(call, Opcode::memory_move);
    case LibraryKind::set: return lower_block_operation(call, Opcode::memory_set);
    case LibraryKind::choose: return lower_choice(call, function);
    case LibraryKind::float_remainder: {
      if (call.arg_size() != 2 || !is_number(call.getType())) return misuse();
      const Operand a = operand(call.getArgOperand(0)), b = operand(call.getArgOperand(1));
      code_.emit({.op = Opcode::float_binary,
                  .bits = static_cast<std::uint8_t>(bits_of(call.getType())),
                  .dst = result(call),
                  .a = a,
                  .b = b,
                  .c = static_cast<std::uint32_t>(bytecode::FloatOp::remainder)});
      return;
    }
    case LibraryKind::float_function:
      if (!is_number(call.getType())) return misuse();
      return emit_float_function(call, function.function);
    case LibraryKind::zeroed_array: {
      if (call.arg_size() != 2) return misuse();
      const Operand count = operand(call.getArgOperand(0)), size = operand(call.getArgOperand(1));
      // A product that does not fit is more than there is memory.
      constexpr std::uint64_t too_much = ~std::uint64_t{0};
      Operand bytes;
      if ((count & size & bytecode::constant_bit) != 0) {
        std::uint64_t product = 0;
        const bool fits = !__builtin_mul_overflow(code_.constant_value(count), code_.constant_value(size), &product);
        bytes = constant(fits ? product : too_much);
      } else {
        const Operand product = code_.new_registers(2);
        code_.emit({.op = Opcode::overflow_arithmetic,
                    .bits = 64,
                    .dst = product,
                    .a = count,
                    .b = size,
                    .c = static_cast<std::uint32_t>(bytecode::OverflowOp::unsigned_mul)});
        bytes = code_.new_register();
        code_.emit(
            {.op = Opcode::select, .bits = 64, .dst = bytes, .a = product + 1, .b = constant(too_much), .c = product});
      }
      const Operand arguments[] = {bytes};
      code_.emit({.op = Opcode::library,
                  .bits = 64,
                  .dst = call_result(call),
                  .d = static_cast<std::uint32_t>(LibraryCall::allocate_zeroed)},
                 arguments);
      return;
    }
    case LibraryKind::call: break;
  }
  std::vector<Operand> arguments;
  if (!collect_library_arguments(call, function, arguments)) return misuse();
  const Operand destination = function.has_result ? call_result(call) : bytecode::no_operand;
  if (!function.has_result) define_zeros(call);
  code_.emit({.op = Opcode::library, .bits = 64, .dst = destination, .d = static_cast<std::uint32_t>(function.call)},
             arguments);
}

// memcpy, memmove, memset, as functions: the result is the first argument.
void FunctionLowering::lower_block_operation(const llvm::CallBase& call, Opcode op) {
  if (call.arg_size() < 3) return unsupported(call, "a block operation needs three arguments");
  const Operand to = operand(call.getArgOperand(0)), from = operand(call.getArgOperand(1));
  const Operand length = operand(call.getArgOperand(2));
  code_.emit({.op = op, .a = to, .b = from, .c = length});
  if (slot_count(call.getType()) == 1) define(call, to);
}

void FunctionLowering::lower_choice(const llvm::CallBase& call, const LibraryFunction& function) {
  std::vector<Operand> arguments;
  const unsigned bits = call.getType()->isIntegerTy() ? bits_of(call.getType()) : 64;
  if (function.arguments.empty()) {
    arguments.push_back(constant(static_cast<std::uint64_t>(function.low)));
    arguments.push_back(constant(static_cast<std::uint64_t>(function.high)));
    arguments.push_back(constant(64));
  } else {
    if (!collect_library_arguments(call, function, arguments)) {
      return unsupported(call, "heddle_choose: the call needs two arguments");
    }
    arguments.push_back(constant(64));
  }
  const Operand chosen = code_.new_register();
  code_.emit({.op = Opcode::library, .bits = 64, .dst = chosen, .d = static_cast<std::uint32_t>(LibraryCall::choose)},
             arguments);
  if (slot_count(call.getType()) != 1) return define_zeros(call);
  if (bits >= 64) return define(call, chosen);
  const Operand cut = code_.new_register();
  code_.emit({.op = Opcode::truncate, .bits = static_cast<std::uint8_t>(bits), .dst = cut, .a = chosen});
  define(call, cut);
}

}  // namespace heddle::frontend
