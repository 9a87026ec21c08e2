// Lowers one LLVM function to bytecode. The class is one; its methods are spread over lower_function.cpp (blocks, phis,
// values), lower_arithmetic.cpp, lower_vectors.cpp, lower_memory.cpp (stack objects, loads, stores), lower_atomics.cpp,
// lower_calls.cpp (calls and library functions) and lower_intrinsics.cpp.
//
// Every LLVM value is a list of operands, one a 64-bit slot: aggregates are flattened, so extractvalue, insertvalue,
// zext and pointer casts cost no instruction at all. Blocks are visited in reverse post order, so that a value is
// lowered before its uses; phis get their registers first and are filled by parallel moves on the edges.
// What the bytecode cannot express becomes Opcode::unsupported at that place, which matters only if it is reached.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/code_builder.h"
#include "frontend/lower_library.h"
#include "frontend/lower_module.h"

namespace heddle::frontend {

using Slots = llvm::SmallVector<Operand, 2>;

// At the head of a loop in which a blocking function of the runtime waits; its argument says for what.
inline constexpr const char* waiting_function = "__heddle_waits_for";
// The string that a call of one of Heddle's own functions is given.
std::string text_argument(const llvm::CallBase& call);

class FunctionLowering {
 public:
  FunctionLowering(ModuleLowering& module, const llvm::Function& function);
  bytecode::Function run();

 private:
  using ByteRange = std::pair<std::uint64_t, std::uint64_t>;  // from, up to
  using Edge = std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>;

  // --- lower_function.cpp
  void lower_parameters();
  void lower_byval_parameters();
  void lower_block(const llvm::BasicBlock& block);
  void lower_instruction(const llvm::Instruction& instruction);
  void lower_terminator(const llvm::Instruction& terminator);
  void find_loops(llvm::ArrayRef<const llvm::BasicBlock*> order);
  void find_bound(const llvm::BasicBlock& from, const llvm::BasicBlock& head);
  bytecode::SourcePosition position_of(const llvm::Instruction& instruction);
  bool counts_iterations(const llvm::BasicBlock& head) const;
  // The label to jump to for an edge: the block itself, or a stub that does the edge's work first.
  Label edge_label(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  bool edges_have_work(const llvm::BasicBlock* to) const;
  void emit_edge_work(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  void emit_pending_edges();

  // The operands of a value. A constant that cannot be expressed emits `unsupported` and counts as zeros.
  Slots slots_of(const llvm::Value* value);
  void constant_slots(const llvm::Constant* constant, Slots& slots);
  // The single slot of a value of at most 64 bits; the first of two neighbouring ones for more.
  Operand operand(const llvm::Value* value);
  Operand neighbours(const Slots& slots);
  void define(const llvm::Value& value, Slots slots) { values_[&value] = std::move(slots); }
  void define(const llvm::Value& value, Operand slot) { values_[&value] = {slot}; }
  // A fresh result register (two for more than 64 bits), already recorded as the value's.
  Operand result(const llvm::Value& value);
  void define_zeros(const llvm::Value& value);
  // How many slots a type takes; -1 if the bytecode has no such values (16-bit floats, odd wide integers).
  int slot_count(const llvm::Type* type) const;
  bool supported_operands(const llvm::Instruction& instruction);
  void unsupported(const std::string& text);
  void unsupported(const llvm::Instruction& instruction, const std::string& text);
  static unsigned bits_of(const llvm::Type* type);
  Operand constant(std::uint64_t value) { return code_.constant(value); }
  // dst <- a op b in 64 bits, folded if possible.
  Operand add_addresses(Operand a, Operand b);

  // --- lower_arithmetic.cpp
  void lower_binary(const llvm::BinaryOperator& binary);
  void lower_compare(const llvm::CmpInst& compare);
  void lower_cast(const llvm::CastInst& cast);
  void lower_select(const llvm::SelectInst& select);
  void lower_extract(const llvm::ExtractValueInst& extract);
  void lower_insert(const llvm::InsertValueInst& insert);
  void lower_element_address(const llvm::GetElementPtrInst& element);
  Operand widen_index(const llvm::Value* index);
  unsigned slots_before(const llvm::Type* type, llvm::ArrayRef<unsigned> indices) const;

  // --- lower_vectors.cpp
  void lower_extract(const llvm::ExtractElementInst& extract);
  void lower_insert(const llvm::InsertElementInst& insert);
  void lower_bit_cast(const llvm::CastInst& cast);
  // The bits of a scalar or vector as 64-bit words, the first ones first, and back.
  Slots pack(const llvm::Type* type, const Slots& slots);
  Slots unpack(const llvm::Type* type, const Slots& words);

  // --- lower_memory.cpp
  void lower_alloca(const llvm::AllocaInst& variable);
  void clear(const std::vector<ByteRange>& ranges, Operand address);
  void find_padding(const llvm::Type* type, std::uint64_t offset, std::vector<ByteRange>& gaps) const;
  void find_bit_fields(const llvm::AllocaInst& variable, std::vector<ByteRange>& ranges) const;
  Operand emit_stack_object(Operand size, std::uint64_t alignment, bool shared, std::uint32_t info);
  void lower_load(const llvm::LoadInst& load);
  void lower_store(const llvm::StoreInst& store);
  void load_value(const llvm::Type* type, Operand address, MemoryOrder order, Slots& slots);
  void store_value(const llvm::Type* type, Operand address, MemoryOrder order, const Slots& slots, unsigned& next);
  void load_scalar(unsigned bits, Operand address, MemoryOrder order, Slots& slots);
  void store_scalar(unsigned bits, Operand address, MemoryOrder order, llvm::ArrayRef<Operand> slots);
  Operand emit_load(unsigned bits, Operand address, MemoryOrder order);
  void emit_store(unsigned bits, Operand address, MemoryOrder order, Operand value);
  static bool is_packed(const llvm::Type* type);

  // --- lower_atomics.cpp
  void lower_read_modify_write(const llvm::AtomicRMWInst& update);
  void lower_compare_exchange(const llvm::AtomicCmpXchgInst& exchange);
  void lower_fence(const llvm::FenceInst& fence);
  void lower_atomic_function(const llvm::CallBase& call, const AtomicFunction& function);
  void lower_atomic_exchange(const llvm::CallBase& call, unsigned bits, Operand address, Operand desired,
                             unsigned first);
  Operand atomic_operand(const llvm::Value* value, unsigned bits, bool generic);

  // --- lower_calls.cpp
  void lower_call(const llvm::CallBase& call);
  void lower_assembly(const llvm::CallBase& call);
  void lower_defined_call(const llvm::CallBase& call, const llvm::Function* callee, std::uint32_t index);
  void lower_library_call(const llvm::CallBase& call, const LibraryFunction& function, llvm::StringRef name);
  void collect_arguments(const llvm::CallBase& call, std::vector<Operand>& arguments);
  bool collect_library_arguments(const llvm::CallBase& call, const LibraryFunction& function,
                                 std::vector<Operand>& arguments);
  bool needs_even_slot(const llvm::CallBase& call, unsigned index) const;
  void append_variadic(const llvm::CallBase& call, std::vector<Operand>& arguments);
  Operand call_result(const llvm::CallBase& call);
  void lower_block_operation(const llvm::CallBase& call, Opcode op);
  void lower_choice(const llvm::CallBase& call, const LibraryFunction& function);

  // --- lower_intrinsics.cpp
  void lower_intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool lower_memory_intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool lower_integer_intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool lower_overflow_intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool lower_float_intrinsic(const llvm::IntrinsicInst& intrinsic);
  bool lower_simple_intrinsic(const llvm::IntrinsicInst& intrinsic);
  void lower_thread_local_address(const llvm::IntrinsicInst& intrinsic);
  void emit_float_function(const llvm::CallBase& call, bytecode::FloatFunction function);

  ModuleLowering& module_;
  const llvm::Function& function_;
  const llvm::DataLayout& layout_;
  bool from_runtime_;  // written in runtime/: has no positions of its own
  CodeBuilder code_;
  llvm::DenseMap<const llvm::Value*, Slots> values_;
  llvm::DenseMap<const llvm::BasicBlock*, Label> labels_;
  std::vector<std::pair<Edge, Label>> pending_edges_;
  llvm::DenseMap<const llvm::BasicBlock*, Operand> loop_counters_;  // by loop header
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> own_bounds_;  // the same, see Opcode::loop_iterate
  std::optional<llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t>> loop_annotations_;
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> watched_loops_;  // by loop header: index into Function::loops
  std::set<Edge> back_edges_;
};

MemoryOrder memory_order_of(llvm::AtomicOrdering ordering);

// Whether one access of the machine can have that many bits.
inline bool is_access_size(unsigned bits) { return bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128; }

}  // namespace heddle::frontend
