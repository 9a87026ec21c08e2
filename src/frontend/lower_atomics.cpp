// Atomic instructions, fences and the __atomic_ functions. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>

#include <optional>

#include "base/check.h"
#include "frontend/function_lowering.h"

namespace heddle::frontend {

using bytecode::RmwOp;

MemoryOrder memory_order_of(llvm::AtomicOrdering ordering) {
  switch (ordering) {
    case llvm::AtomicOrdering::NotAtomic: return MemoryOrder::plain;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return MemoryOrder::relaxed;
    case llvm::AtomicOrdering::Acquire: return MemoryOrder::acquire;
    case llvm::AtomicOrdering::Release: return MemoryOrder::release;
    case llvm::AtomicOrdering::AcquireRelease: return MemoryOrder::acquire_release;
    case llvm::AtomicOrdering::SequentiallyConsistent: return MemoryOrder::seq_cst;
  }
  return MemoryOrder::seq_cst;
}

namespace {

std::optional<RmwOp> rmw_operation(llvm::AtomicRMWInst::BinOp op) {
  switch (op) {
    case llvm::AtomicRMWInst::Xchg: return RmwOp::exchange;
    case llvm::AtomicRMWInst::Add: return RmwOp::add;
    case llvm::AtomicRMWInst::Sub: return RmwOp::subtract;
    case llvm::AtomicRMWInst::And: return RmwOp::bit_and;
    case llvm::AtomicRMWInst::Nand: return RmwOp::bit_nand;
    case llvm::AtomicRMWInst::Or: return RmwOp::bit_or;
    case llvm::AtomicRMWInst::Xor: return RmwOp::bit_xor;
    case llvm::AtomicRMWInst::Max: return RmwOp::signed_max;
    case llvm::AtomicRMWInst::Min: return RmwOp::signed_min;
    case llvm::AtomicRMWInst::UMax: return RmwOp::unsigned_max;
    case llvm::AtomicRMWInst::UMin: return RmwOp::unsigned_min;
    case llvm::AtomicRMWInst::UIncWrap: return RmwOp::increment_wrap;
    case llvm::AtomicRMWInst::UDecWrap: return RmwOp::decrement_wrap;
    case llvm::AtomicRMWInst::FAdd: return RmwOp::float_add;
    case llvm::AtomicRMWInst::FSub: return RmwOp::float_subtract;
    default: return std::nullopt;
  }
}

// An argument of an __atomic_ function.
std::optional<MemoryOrder> order_argument(const llvm::CallBase& call, unsigned index) {
  const auto* known = index < call.arg_size() ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(index)) : nullptr;
  if (!known) return std::nullopt;
  switch (known->getZExtValue() & 0xffff) {
    case 0: return MemoryOrder::relaxed;
    case 1:
    case 2: return MemoryOrder::acquire;
    case 3: return MemoryOrder::release;
    case 4: return MemoryOrder::acquire_release;
    default: return MemoryOrder::seq_cst;
  }
}

}  // namespace

void FunctionLowering::lower_read_modify_write(const llvm::AtomicRMWInst& update) {
  const auto op = rmw_operation(update.getOperation());
  const unsigned bits = bits_of(update.getType());
  if (!op || !is_access_size(bits)) {
    unsupported(update, fmt::format("the atomic operation '{}' on {} bits is not supported",
                                    llvm::AtomicRMWInst::getOperationName(update.getOperation()).str(), bits));
    return;
  }
  const Operand address = operand(update.getPointerOperand()), value = operand(update.getValOperand());
  code_.emit({.op = Opcode::read_modify_write,
              .bits = byte(bits),
              .order = memory_order_of(update.getOrdering()),
              .dst = update.use_empty() ? bytecode::no_operand : result(update),
              .a = address,
              .b = value,
              .d = static_cast<std::uint32_t>(*op)});
}

void FunctionLowering::lower_compare_exchange(const llvm::AtomicCmpXchgInst& exchange) {
  const unsigned bits = bits_of(exchange.getNewValOperand()->getType());
  if (!is_access_size(bits))
    return unsupported(exchange, fmt::format("a compare-exchange of {} bits is not supported", bits));
  const Operand address = operand(exchange.getPointerOperand());
  const Operand expected = operand(exchange.getCompareOperand()), desired = operand(exchange.getNewValOperand());
  const unsigned slots = bits == 128 ? 2 : 1;
  const bool used = !exchange.use_empty();
  const Operand first = used ? code_.new_registers(slots + 1) : bytecode::no_operand;
  code_.emit({.op = Opcode::compare_exchange,
              .bits = byte(bits),
              .order = memory_order_of(exchange.getSuccessOrdering()),
              .dst = first,
              .a = address,
              .b = expected,
              .c = desired,
              .d = static_cast<std::uint32_t>(memory_order_of(exchange.getFailureOrdering()))});
  if (!used) return;
  Slots results;
  for (unsigned i = 0; i <= slots; ++i) results.push_back(first + i);
  define(exchange, results);
}

void FunctionLowering::lower_fence(const llvm::FenceInst& fence) {
  if (fence.getSyncScopeID() == llvm::SyncScope::SingleThread) return;  // for the compiler only
  code_.emit({.op = Opcode::fence, .order = memory_order_of(fence.getOrdering())});
}

// A value of an __atomic_ function: itself or, for the generic functions, what a pointer points to.
Operand FunctionLowering::atomic_operand(const llvm::Value* value, unsigned bits, bool generic) {
  return generic ? emit_load(bits, operand(value), MemoryOrder::plain) : operand(value);
}

void FunctionLowering::lower_atomic_function(const llvm::CallBase& call, const AtomicFunction& function) {
  const bool generic = function.size == 0;
  const unsigned first = generic ? 1 : 0;  // the generic functions take the size first
  unsigned size = function.size;
  if (const auto* known = generic ? llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0)) : nullptr) {
    size = static_cast<unsigned>(known->getZExtValue());
  }
  const unsigned bits = size * 8;
  const std::string name = "__atomic_" + std::string(function.operation);
  if (generic && !llvm::isa<llvm::ConstantInt>(call.getArgOperand(0))) {
    return unsupported(call, fmt::format("{}: an atomic object of variable size is not supported", name));
  }
  if (size > 16) {
    return unsupported(call,
                       fmt::format("{}: an atomic object of {} bytes is not supported, only up to 16", name, size));
  }
  if (!is_access_size(bits)) {
    return unsupported(
        call, fmt::format("{}: an atomic object of {} bytes is not supported, only 1, 2, 4, 8 or 16", name, size));
  }
  const std::string_view operation = function.operation;
  const bool exchange = operation == "compare_exchange";
  const unsigned values = operation == "load" ? (generic ? 1 : 0) : operation == "exchange" && generic ? 2 : 1;
  const auto order = order_argument(call, first + (exchange ? 3 : 1 + values));
  HEDDLE_CHECK(order, "check_memory_orders made every memory order a constant");
  const Operand address = operand(call.getArgOperand(first));
  if (operation == "load") {
    const Operand loaded = emit_load(bits, address, *order);
    if (generic) return emit_store(bits, operand(call.getArgOperand(first + 1)), MemoryOrder::plain, loaded);
    return define(call, bits == 128 ? Slots{loaded, loaded + 1} : Slots{loaded});
  }
  if (exchange) {
    const Operand desired = atomic_operand(call.getArgOperand(first + 2), bits, generic);
    return lower_atomic_exchange(call, bits, address, desired, first);
  }
  const Operand value = atomic_operand(call.getArgOperand(first + 1), bits, generic);
  if (operation == "store") return emit_store(bits, address, *order, value);
  RmwOp op = RmwOp::exchange;
  Opcode again = Opcode::move;  // what turns the old value into the new one
  const auto is = [&](std::string_view word) { return operation.find(word) != std::string_view::npos; };
  if (is("add")) op = RmwOp::add, again = Opcode::add;
  if (is("sub")) op = RmwOp::subtract, again = Opcode::sub;
  if (is("or")) op = RmwOp::bit_or, again = Opcode::bit_or;
  if (is("xor")) op = RmwOp::bit_xor, again = Opcode::bit_xor;
  if (is("and")) op = RmwOp::bit_and, again = Opcode::bit_and;
  if (is("nand")) op = RmwOp::bit_nand;
  if (operation == "nand_fetch") return unsupported(call, "__atomic_nand_fetch: the function is not supported");
  Operand old = code_.new_registers(bits == 128 ? 2 : 1);
  code_.emit({.op = Opcode::read_modify_write,
              .bits = byte(bits),
              .order = *order,
              .dst = old,
              .a = address,
              .b = value,
              .d = static_cast<std::uint32_t>(op)});
  if (operation == "exchange" && generic) {
    return emit_store(bits, operand(call.getArgOperand(first + 2)), MemoryOrder::plain, old);
  }
  if (operation.ends_with("_fetch")) {
    const Operand updated = code_.new_registers(bits == 128 ? 2 : 1);
    code_.emit({.op = again, .bits = byte(bits), .dst = updated, .a = old, .b = value});
    old = updated;
  }
  define(call, bits == 128 ? Slots{old, old + 1} : Slots{old});
}

// What was expected is in memory, and what was found goes there if the exchange fails.
void FunctionLowering::lower_atomic_exchange(const llvm::CallBase& call, unsigned bits, Operand address,
                                             Operand desired, unsigned first) {
  const auto success = order_argument(call, first + 3), failure = order_argument(call, first + 4);
  HEDDLE_CHECK(success && failure, "check_memory_orders made every memory order a constant");
  const Operand expected_at = operand(call.getArgOperand(first + 1));
  const Operand expected = emit_load(bits, expected_at, MemoryOrder::plain);
  const unsigned slots = bits == 128 ? 2 : 1;
  const Operand found = code_.new_registers(slots + 1);
  code_.emit({.op = Opcode::compare_exchange,
              .bits = byte(bits),
              .order = *success,
              .dst = found,
              .a = address,
              .b = expected,
              .c = desired,
              .d = static_cast<std::uint32_t>(*failure)});
  const Label failed = code_.new_label(), done = code_.new_label();
  code_.branch(found + slots, done, failed);
  code_.bind(failed);
  emit_store(bits, expected_at, MemoryOrder::plain, found);
  code_.jump(done);
  code_.bind(done);
  define(call, found + slots);
}

}  // namespace heddle::frontend
