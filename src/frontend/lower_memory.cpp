// Stack objects, loads, stores and atomics. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>

#include <algorithm>

#include "frontend/capture_analysis.h"
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

bool is_access_size(unsigned bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128; }

std::uint8_t byte(unsigned bits) { return static_cast<std::uint8_t>(bits); }

// An argument of an __atomic_ function; nothing if the order is not known before the program runs.
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

void FunctionLowering::lower_alloca(const llvm::AllocaInst& variable) {
  const std::uint64_t size = layout_.getTypeAllocSize(variable.getAllocatedType());
  Operand bytes = constant(size);
  if (variable.isArrayAllocation()) {
    const Operand count = operand(variable.getArraySize());
    if (count & bytecode::constant_bit) {
      bytes = constant(size * code_.constant_value(count));
    } else {
      bytes = code_.new_register();
      code_.emit({.op = Opcode::mul, .bits = 64, .dst = bytes, .a = count, .b = constant(size)});
    }
  }
  const bool shared = module_.captures().is_captured(&variable);
  const Operand address = emit_stack_object(bytes, variable.getAlign().value(), shared, module_.object(&variable));
  define(variable, address);
  if (shared || variable.isArrayAllocation()) return;
  std::vector<ByteRange> ranges;
  find_padding(variable.getAllocatedType(), 0, ranges);
  find_bit_fields(variable, ranges);
  clear(ranges, address);
}

// Some bytes of a variable are read before the program writes them, and that is nobody's mistake: padding of small
// structs, which clang passes in registers as integers, and bit-fields, whose first assignment reads their neighbours.
// They start as zeros; private objects need no events for that.
void FunctionLowering::clear(const std::vector<ByteRange>& ranges, Operand address) {
  constexpr std::size_t range_limit = 64;  // objects with more of them are not passed in registers
  if (ranges.size() > range_limit) return;
  for (const auto& [begin, end] : ranges) {
    for (std::uint64_t at = begin; at < end; ++at) {
      emit_store(8, add_addresses(address, constant(at)), MemoryOrder::plain, constant(0));
    }
  }
}

// The bytes that are loaded, masked, perhaps combined with new bits, and stored again.
void FunctionLowering::find_bit_fields(const llvm::AllocaInst& variable, std::vector<ByteRange>& ranges) const {
  const auto stores_back = [](const llvm::LoadInst& load, const llvm::Value& value) {
    return llvm::any_of(value.users(), [&](const llvm::User* user) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      return store && store->getValueOperand() == &value && store->getPointerOperand() == load.getPointerOperand();
    });
  };
  const auto is_bit_field = [&](const llvm::LoadInst& load) {
    for (const llvm::User* user : load.users()) {
      const auto* mask = llvm::dyn_cast<llvm::BinaryOperator>(user);
      if (!mask || mask->getOpcode() != llvm::Instruction::And) continue;
      if (stores_back(load, *mask)) return true;
      for (const llvm::User* combined : mask->users()) {
        const auto* together = llvm::dyn_cast<llvm::BinaryOperator>(combined);
        if (together && together->getOpcode() == llvm::Instruction::Or && stores_back(load, *together)) return true;
      }
    }
    return false;
  };
  std::vector<std::pair<const llvm::Value*, std::uint64_t>> pending{{&variable, 0}};
  while (!pending.empty()) {
    const auto [address, offset] = pending.back();
    pending.pop_back();
    for (const llvm::User* user : address->users()) {
      llvm::APInt further(64, offset);
      if (const auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(user)) {
        if (element->accumulateConstantOffset(layout_, further)) pending.emplace_back(element, further.getZExtValue());
      } else if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(user); load && load->getType()->isIntegerTy()) {
        if (is_bit_field(*load)) ranges.emplace_back(offset, offset + layout_.getTypeStoreSize(load->getType()));
      }
    }
  }
  std::sort(ranges.begin(), ranges.end());
  ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
}

void FunctionLowering::find_padding(const llvm::Type* type, std::uint64_t offset, std::vector<ByteRange>& gaps) const {
  const std::uint64_t size = layout_.getTypeAllocSize(const_cast<llvm::Type*>(type));
  constexpr std::uint64_t size_limit = 128;
  if (size > size_limit) return;
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout_.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      find_padding(array->getElementType(), offset + i * stride, gaps);
    }
  } else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* fields = layout_.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      find_padding(structure->getElementType(i), offset + fields->getElementOffset(i), gaps);
      const std::uint64_t end =
          fields->getElementOffset(i) + layout_.getTypeAllocSize(structure->getElementType(i)).getFixedValue();
      const bool last = i + 1 == structure->getNumElements();
      const std::uint64_t next = last ? size : fields->getElementOffset(i + 1).getFixedValue();
      if (end < next) gaps.emplace_back(offset + end, offset + next);
    }
  }
}

Operand FunctionLowering::emit_stack_object(Operand size, std::uint64_t alignment, bool shared, std::uint32_t info) {
  const auto kind = shared ? bytecode::StackObjectKind::shared_object : bytecode::StackObjectKind::private_object;
  const Operand address = code_.new_register();
  code_.emit({.op = Opcode::stack_object,
              .bits = 64,
              .dst = address,
              .a = size,
              .b = static_cast<std::uint32_t>(alignment),
              .c = static_cast<std::uint32_t>(kind),
              .d = info});
  return address;
}

Operand FunctionLowering::emit_load(unsigned bits, Operand address, MemoryOrder order) {
  const Operand loaded = code_.new_registers(bits == 128 ? 2 : 1);
  code_.emit({.op = Opcode::load, .bits = byte(bits), .order = order, .dst = loaded, .a = address});
  return loaded;
}

void FunctionLowering::emit_store(unsigned bits, Operand address, MemoryOrder order, Operand value) {
  code_.emit({.op = Opcode::store, .bits = byte(bits), .order = order, .a = address, .b = value});
}

// Integers whose size is no access size (bit-fields, small structs passed in registers) are moved in pieces.
void FunctionLowering::load_scalar(unsigned bits, Operand address, MemoryOrder order, Slots& slots) {
  const unsigned stored = (bits + 7) / 8 * 8;
  if (is_access_size(stored)) {
    Operand loaded = emit_load(stored, address, order);
    if (stored != bits) {
      const Operand cut = code_.new_register();
      code_.emit({.op = Opcode::truncate, .bits = byte(bits), .dst = cut, .a = loaded});
      loaded = cut;
    }
    slots.push_back(loaded);
    if (bits == 128) slots.push_back(loaded + 1);
    return;
  }
  Operand whole = constant(0);
  unsigned done = 0;
  while (done < stored) {
    unsigned piece = 32;
    while (piece > stored - done) piece /= 2;
    Operand part = emit_load(piece, add_addresses(address, constant(done / 8)), order);
    if (done > 0) {
      const Operand shifted = code_.new_register(), joined = code_.new_register();
      code_.emit({.op = Opcode::shl, .bits = 64, .dst = shifted, .a = part, .b = constant(done)});
      code_.emit({.op = Opcode::bit_or, .bits = 64, .dst = joined, .a = whole, .b = shifted});
      part = joined;
    }
    whole = part;
    done += piece;
  }
  if (stored != bits) {
    const Operand cut = code_.new_register();
    code_.emit({.op = Opcode::truncate, .bits = byte(bits), .dst = cut, .a = whole});
    whole = cut;
  }
  slots.push_back(whole);
}

void FunctionLowering::store_scalar(unsigned bits, Operand address, MemoryOrder order, llvm::ArrayRef<Operand> slots) {
  const unsigned stored = (bits + 7) / 8 * 8;
  if (is_access_size(stored)) {
    emit_store(stored, address, order, neighbours(Slots(slots.begin(), slots.end())));
    return;
  }
  unsigned done = 0;
  while (done < stored) {
    unsigned piece = 32;
    while (piece > stored - done) piece /= 2;
    Operand part = slots[0];
    if (done > 0) {
      part = code_.new_register();
      code_.emit({.op = Opcode::lshr, .bits = 64, .dst = part, .a = slots[0], .b = constant(done)});
    }
    const Operand cut = code_.new_register();
    code_.emit({.op = Opcode::truncate, .bits = byte(piece), .dst = cut, .a = part});
    emit_store(piece, add_addresses(address, constant(done / 8)), order, cut);
    done += piece;
  }
}

// Aggregates move leaf by leaf; padding is not touched.
void FunctionLowering::load_value(const llvm::Type* type, Operand address, MemoryOrder order, Slots& slots) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout_.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      load_value(array->getElementType(), add_addresses(address, constant(i * stride)), order, slots);
    }
  } else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* fields = layout_.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const Operand place = add_addresses(address, constant(fields->getElementOffset(i)));
      load_value(structure->getElementType(i), place, order, slots);
    }
  } else {
    load_scalar(bits_of(type), address, order, slots);
  }
}

void FunctionLowering::store_value(const llvm::Type* type, Operand address, MemoryOrder order, const Slots& slots,
                                   unsigned& next) {
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const std::uint64_t stride = layout_.getTypeAllocSize(array->getElementType());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      store_value(array->getElementType(), add_addresses(address, constant(i * stride)), order, slots, next);
    }
  } else if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    const llvm::StructLayout* fields = layout_.getStructLayout(const_cast<llvm::StructType*>(structure));
    for (unsigned i = 0; i < structure->getNumElements(); ++i) {
      const Operand place = add_addresses(address, constant(fields->getElementOffset(i)));
      store_value(structure->getElementType(i), place, order, slots, next);
    }
  } else {
    const unsigned count = bits_of(type) == 128 ? 2 : 1;
    store_scalar(bits_of(type), address, order, llvm::ArrayRef<Operand>(slots).slice(next, count));
    next += count;
  }
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  Slots slots;
  load_value(load.getType(), operand(load.getPointerOperand()), memory_order_of(load.getOrdering()), slots);
  define(load, slots);
}

void FunctionLowering::lower_store(const llvm::StoreInst& store) {
  const Slots slots = slots_of(store.getValueOperand());
  unsigned next = 0;
  store_value(store.getValueOperand()->getType(), operand(store.getPointerOperand()),
              memory_order_of(store.getOrdering()), slots, next);
}

void FunctionLowering::lower_read_modify_write(const llvm::AtomicRMWInst& update) {
  const auto op = rmw_operation(update.getOperation());
  const unsigned bits = bits_of(update.getType());
  if (!op || !is_access_size(bits)) {
    unsupported(update, fmt::format("the atomic operation '{}'",
                                    llvm::AtomicRMWInst::getOperationName(update.getOperation()).str()));
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
  if (!is_access_size(bits)) return unsupported(exchange, fmt::format("a compare-exchange of {} bits", bits));
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
  if (size > 16 || !is_access_size(bits)) return unsupported(call, fmt::format("'{}' of {} bytes", name, size));
  const std::string_view operation = function.operation;
  const bool exchange = operation == "compare_exchange";
  const unsigned values = operation == "load" ? (generic ? 1 : 0) : operation == "exchange" && generic ? 2 : 1;
  const auto order = order_argument(call, first + (exchange ? 3 : 1 + values));
  if (!order) return unsupported(call, fmt::format("'{}' with a memory order that is not a constant", name));
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
  if (operation == "nand_fetch") return unsupported(call, "'__atomic_nand_fetch'");
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
  if (!success || !failure) return unsupported(call, "a compare-exchange whose memory order is not a constant");
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
