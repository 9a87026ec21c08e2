// Stack objects, loads and stores. See function_lowering.h.
#include <fmt/format.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DataLayout.h>

#include <algorithm>

#include "frontend/capture_analysis.h"
#include "frontend/function_lowering.h"

namespace heddle::frontend {

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
  } else if (type->isX86_FP80Ty()) {
    gaps.emplace_back(offset + layout_.getTypeStoreSize(const_cast<llvm::Type*>(type)), offset + size);
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

// Integers whose size is no access size (bit-fields, small structs passed in registers) are moved in pieces. So is a
// long double: 8 bytes, then 2.
void FunctionLowering::load_scalar(unsigned bits, Operand address, MemoryOrder order, Slots& slots) {
  const unsigned stored = (bits + 7) / 8 * 8;
  if (bits == 80) {
    const Operand low = emit_load(64, address, order);
    const Operand high = emit_load(16, add_addresses(address, constant(8)), order);
    slots.push_back(low);
    slots.push_back(high);
    return;
  }
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
  if (bits == 80) {
    emit_store(64, address, order, slots[0]);
    emit_store(16, add_addresses(address, constant(8)), order, slots[1]);
    return;
  }
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

// Aggregates and vectors move leaf by leaf; padding is not touched.
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
  } else if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned stride = bits_of(vector->getElementType()) / 8;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      load_value(vector->getElementType(), add_addresses(address, constant(i * stride)), order, slots);
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
  } else if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const unsigned stride = bits_of(vector->getElementType()) / 8;
    for (unsigned i = 0; i < vector->getNumElements(); ++i) {
      store_value(vector->getElementType(), add_addresses(address, constant(i * stride)), order, slots, next);
    }
  } else {
    const unsigned count = bits_of(type) > 64 ? 2 : 1;
    store_scalar(bits_of(type), address, order, llvm::ArrayRef<Operand>(slots).slice(next, count));
    next += count;
  }
}

// Elements of a vector that are no whole bytes lie packed in memory.
bool FunctionLowering::is_packed(const llvm::Type* type) {
  return type->isVectorTy() && !is_access_size(bits_of(type->getScalarType()));
}

void FunctionLowering::lower_load(const llvm::LoadInst& load) {
  if (is_packed(load.getType())) return unsupported(load, "a vector of bits in memory is not supported");
  Slots slots;
  load_value(load.getType(), operand(load.getPointerOperand()), memory_order_of(load.getOrdering()), slots);
  define(load, slots);
}

void FunctionLowering::lower_store(const llvm::StoreInst& store) {
  if (is_packed(store.getValueOperand()->getType())) {
    return unsupported(store, "a vector of bits in memory is not supported");
  }
  const Slots slots = slots_of(store.getValueOperand());
  unsigned next = 0;
  store_value(store.getValueOperand()->getType(), operand(store.getPointerOperand()),
              memory_order_of(store.getOrdering()), slots, next);
}

}  // namespace heddle::frontend
