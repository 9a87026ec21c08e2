// See function_lowering.h. Tested in load_program_test.cpp and run_program_test.cpp.
#include <algorithm>
#include <optional>

#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Module.h>

#include "base/check.h"
#include "frontend/capture_analysis.h"
#include "frontend/function_lowering.h"
#include "frontend/merge_peeled_rounds.h"
#include "frontend/read_module.h"

namespace heddle::frontend {

namespace {

// A type that the bytecode has no values of, in words.
std::string describe(const llvm::Type* type) {
  if (type->isFP128Ty()) return "a 128-bit floating-point number";
  const llvm::Type* element = type->getScalarType();
  if (element->isHalfTy() || element->isBFloatTy()) return "a 16-bit floating-point number";
  if (type->isIntegerTy()) return fmt::format("an integer of {} bits", type->getIntegerBitWidth());
  return type->isVectorTy() ? "a vector of this type" : "a value of this type";
}

}  // namespace

FunctionLowering::FunctionLowering(ModuleLowering& module, const llvm::Function& function)
    : module_(module),
      function_(function),
      layout_(function.getParent()->getDataLayout()),
      from_runtime_(function.hasFnAttribute(runtime_attribute)) {}

bytecode::Function FunctionLowering::run() {
  bytecode::Function& code = code_.function();
  code.name = function_.getName().str();
  code.variadic = function_.isVarArg();
  if (const llvm::DISubprogram* described = function_.getSubprogram(); described && !from_runtime_) {
    if (described->getLinkageName().empty()) code.name = described->getName().str();
    code.declared = module_.debug().position(described->getRawFile(), described->getLine(), 0);
  }
  lower_parameters();
  const llvm::ReversePostOrderTraversal<const llvm::Function*> traversal(&function_);
  const std::vector<const llvm::BasicBlock*> order(traversal.begin(), traversal.end());
  for (const llvm::BasicBlock* block : order) {
    labels_[block] = code_.new_label();
    for (const llvm::PHINode& phi : block->phis()) {
      Slots slots;
      const int count = slot_count(phi.getType());
      if (count < 0) continue;
      const bool wide = bits_of(phi.getType()) > 64;
      const Operand first = wide ? code_.new_registers(2) : 0;
      for (int i = 0; i < count; ++i) slots.push_back(wide ? first + static_cast<Operand>(i) : code_.new_register());
      define(phi, slots);
    }
  }
  find_loops(order);
  for (const llvm::BasicBlock* block : order) lower_block(*block);
  return code_.finish();
}

void FunctionLowering::lower_parameters() {
  unsigned total = 0;
  for (const llvm::Argument& parameter : function_.args()) {
    const int count = slot_count(parameter.getType());
    if (count < 0) {
      unsupported(fmt::format("{}: {} is not supported", function_.getName().str(), describe(parameter.getType())));
      continue;
    }
    Slots slots;
    const bool wide = bits_of(parameter.getType()) > 64;
    const Operand first = wide ? code_.new_registers(2) : 0;
    for (int i = 0; i < count; ++i) slots.push_back(wide ? first + static_cast<Operand>(i) : code_.new_register());
    total += static_cast<unsigned>(count);
    define(parameter, slots);
  }
  code_.function().parameter_slots = total;
  lower_byval_parameters();
}

// A struct passed by value is the callee's own copy.
void FunctionLowering::lower_byval_parameters() {
  for (const llvm::Argument& parameter : function_.args()) {
    if (!parameter.hasByValAttr()) continue;
    const Operand size = constant(layout_.getTypeAllocSize(parameter.getParamByValType()));
    const std::uint64_t alignment = std::max<std::uint64_t>(
        parameter.getParamAlign().valueOrOne().value(), layout_.getABITypeAlign(parameter.getParamByValType()).value());
    const Operand copy =
        emit_stack_object(size, alignment, module_.captures().is_captured(&parameter), module_.object(&parameter));
    code_.emit({.op = Opcode::memory_copy, .a = copy, .b = operand(&parameter), .c = size});
    define(parameter, copy);
  }
}

namespace {

// What a blocking function of the runtime says at the head of its loop.
std::string waited_for(const llvm::BasicBlock& head) {
  for (const llvm::Instruction& instruction : head) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* called = call ? call->getCalledFunction() : nullptr;
    if (called && called->getName() == waiting_function) return text_argument(*call);
  }
  return "";
}

bool has_merged_round(const llvm::BasicBlock& head) {
  return std::any_of(head.begin(), head.end(),
                     [](const llvm::Instruction& instruction) { return instruction.hasMetadata(merged_round); });
}

}  // namespace

// Edges that go back to a block that is still being visited close a loop; its target is counted and watched.
void FunctionLowering::find_loops(llvm::ArrayRef<const llvm::BasicBlock*> order) {
  llvm::DenseMap<const llvm::BasicBlock*, unsigned> place;
  for (unsigned i = 0; i < order.size(); ++i) place[order[i]] = i;
  for (const llvm::BasicBlock* block : order) {
    for (const llvm::BasicBlock* next : llvm::successors(block))
      if (place[next] <= place[block]) back_edges_.insert({block, next});
  }
  std::optional<llvm::DominatorTree> dominators;
  for (const llvm::BasicBlock* block : order) {
    for (const llvm::BasicBlock* next : llvm::successors(block)) {
      if (place[next] > place[block]) continue;
      const bytecode::SourcePosition begin = position_of(*block->getTerminator());
      if (counts_iterations(*next)) {
        code_.function().counting_loops.push_back(begin);
      } else if (!watched_loops_.contains(next)) {
        watched_loops_[next] = static_cast<std::uint32_t>(code_.function().loops.size());
        code_.function().loops.push_back(
            {.waits_for = waited_for(*next), .declared = begin, .first_round_merged = has_merged_round(*next)});
      }
      if (!module_.loop_bounds().counted()) continue;
      auto [entry, added] = loop_counters_.try_emplace(next, 0);
      if (added) entry->second = code_.new_register();
      find_bound(*block, *next);
      // A loop with several entries: start to count when the function starts.
      if (!dominators) dominators.emplace(const_cast<llvm::Function&>(function_));
      if (!dominators->dominates(next, block)) code_.emit({.op = Opcode::loop_begin, .dst = entry->second});
    }
  }
}

// Of the loop that this edge goes back to.
void FunctionLowering::find_bound(const llvm::BasicBlock& from, const llvm::BasicBlock& head) {
  const bytecode::SourcePosition place = position_of(*from.getTerminator());
  const std::string file = place.line != 0 ? module_.file(place.file) : "";
  if (!loop_annotations_) loop_annotations_ = module_.loop_bounds().annotated(function_);
  if (const auto bound = loop_annotations_->find(&head); bound != loop_annotations_->end())
    own_bounds_.try_emplace(&head, bound->second);
  if (const auto bound = module_.loop_bounds().wanted(code_.function().name, file, place.line))
    own_bounds_[&head] = *bound;
}

// A loop that counts up or down on every way back to its head is never in the same state twice: no need to watch it.
bool FunctionLowering::counts_iterations(const llvm::BasicBlock& head) const {
  const auto steps = [](const llvm::Value* value, const llvm::PHINode& phi) {
    if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
      const bool adds = sum->getOpcode() == llvm::Instruction::Add || sum->getOpcode() == llvm::Instruction::Sub;
      const auto* amount = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1));
      return adds && sum->getOperand(0) == &phi && amount && !amount->isZero() &&
             sum->getType()->getIntegerBitWidth() > 8;
    }
    return false;
  };
  for (const llvm::PHINode& phi : head.phis()) {
    bool always = phi.getType()->isIntegerTy();
    for (unsigned i = 0; always && i < phi.getNumIncomingValues(); ++i)
      always = !back_edges_.contains({phi.getIncomingBlock(i), &head}) || steps(phi.getIncomingValue(i), phi);
    if (always) return true;
  }
  return false;
}

bool FunctionLowering::edges_have_work(const llvm::BasicBlock* to) const {
  return !to->phis().empty() || loop_counters_.contains(to) || watched_loops_.contains(to);
}

void FunctionLowering::emit_edge_work(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
  std::vector<std::pair<Operand, Operand>> moves;
  for (const llvm::PHINode& phi : to->phis()) {
    const auto known = values_.find(&phi);
    if (known == values_.end()) {
      unsupported(phi, fmt::format("{} is not supported", describe(phi.getType())));
      continue;
    }
    const Slots destinations = known->second;
    const Slots sources = slots_of(phi.getIncomingValueForBlock(from));
    HEDDLE_CHECK(sources.size() == destinations.size(), "a phi and its inputs have the same type");
    for (unsigned i = 0; i < sources.size(); ++i) moves.emplace_back(destinations[i], sources[i]);
  }
  code_.parallel_moves(std::move(moves));
  // A loop that spins is not cut off by a bound, so this comes first.
  if (const auto loop = watched_loops_.find(to); loop != watched_loops_.end())
    code_.emit({.op = Opcode::watch_loop, .a = loop->second});
  if (const auto counter = loop_counters_.find(to); counter != loop_counters_.end()) {
    const bool back = back_edges_.contains({from, to});
    // A loop that tests before its body takes its back edge once more than it enters the body.
    const bool tests_first =
        back && from->getTerminator()->getNumSuccessors() == 1 && to->getTerminator()->getNumSuccessors() > 1;
    if (!back) return code_.emit({.op = Opcode::loop_begin, .dst = counter->second});
    const auto bound = own_bounds_.find(to);
    code_.emit({.op = Opcode::loop_iterate,
                .dst = counter->second,
                .a = bound == own_bounds_.end() ? bytecode::no_operand : bound->second,
                .d = tests_first ? 1u : 0u});
  }
}

Label FunctionLowering::edge_label(const llvm::BasicBlock* from, const llvm::BasicBlock* to) {
  if (!edges_have_work(to)) return labels_[to];
  for (const auto& [edge, label] : pending_edges_) {
    if (edge == Edge{from, to}) return label;
  }
  const Label stub = code_.new_label();
  pending_edges_.push_back({{from, to}, stub});
  return stub;
}

void FunctionLowering::emit_pending_edges() {
  for (const auto& [edge, label] : pending_edges_) {
    code_.bind(label);
    emit_edge_work(edge.first, edge.second);
    code_.jump(labels_[edge.second]);
  }
  pending_edges_.clear();
}

bytecode::SourcePosition FunctionLowering::position_of(const llvm::Instruction& instruction) {
  return from_runtime_ ? bytecode::SourcePosition{} : module_.debug().position(instruction.getDebugLoc().get());
}

void FunctionLowering::lower_block(const llvm::BasicBlock& block) {
  code_.bind(labels_[&block]);
  for (const llvm::Instruction& instruction : block) {
    if (llvm::isa<llvm::PHINode>(instruction)) continue;
    if (const auto position = position_of(instruction); position.line != 0) code_.set_position(position);
    if (instruction.isTerminator()) {
      lower_terminator(instruction);
    } else {
      lower_instruction(instruction);
    }
  }
}

void FunctionLowering::lower_terminator(const llvm::Instruction& terminator) {
  const llvm::BasicBlock* block = terminator.getParent();
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&terminator)) {
    if (branch->isUnconditional()) {
      emit_edge_work(block, branch->getSuccessor(0));
      code_.jump(labels_[branch->getSuccessor(0)]);
      return;
    }
    const Operand condition = operand(branch->getCondition());
    const Label if_true = edge_label(block, branch->getSuccessor(0));
    const Label if_false = edge_label(block, branch->getSuccessor(1));
    code_.branch(condition, if_true, if_false);
    emit_pending_edges();
  } else if (const auto* choice = llvm::dyn_cast<llvm::SwitchInst>(&terminator)) {
    if (bits_of(choice->getCondition()->getType()) > 64) {
      unsupported(terminator, "a switch over a 128-bit value is not supported");
      code_.emit({.op = Opcode::unreachable});
      return;
    }
    const Operand value = operand(choice->getCondition());
    bytecode::SwitchTable table;
    table.default_target = edge_label(block, choice->getDefaultDest());
    for (const auto& entry : choice->cases()) {
      table.cases.push_back({entry.getCaseValue()->getZExtValue(), edge_label(block, entry.getCaseSuccessor())});
    }
    code_.switch_on(value, bits_of(choice->getCondition()->getType()), std::move(table));
    emit_pending_edges();
  } else if (const auto* finish = llvm::dyn_cast<llvm::ReturnInst>(&terminator)) {
    Slots slots;
    if (finish->getReturnValue()) slots = slots_of(finish->getReturnValue());
    code_.emit({.op = Opcode::return_values}, slots);
  } else {
    if (!llvm::isa<llvm::UnreachableInst>(terminator)) {
      unsupported(terminator, fmt::format("the instruction '{}' is not supported", terminator.getOpcodeName()));
    }
    code_.emit({.op = Opcode::unreachable});
  }
}

void FunctionLowering::lower_instruction(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction)) return;
  if (!supported_operands(instruction)) return;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return lower_load(*load);
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return lower_store(*store);
  if (const auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) return lower_element_address(*step);
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return lower_call(*call);
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) return lower_binary(*binary);
  if (const auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) return lower_compare(*compare);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return lower_cast(*cast);
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) return lower_alloca(*variable);
  if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) return lower_read_modify_write(*update);
  if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) return lower_compare_exchange(*swap);
  if (const auto* fence = llvm::dyn_cast<llvm::FenceInst>(&instruction)) return lower_fence(*fence);
  if (const auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) return lower_select(*select);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) return lower_extract(*extract);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) return lower_insert(*insert);
  if (const auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) return lower_extract(*extract);
  if (const auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) return lower_insert(*insert);
  if (llvm::isa<llvm::FreezeInst>(instruction)) return define(instruction, slots_of(instruction.getOperand(0)));
  if (instruction.getOpcode() == llvm::Instruction::FNeg) {
    const Operand value = operand(instruction.getOperand(0));
    code_.emit({.op = Opcode::float_function,
                .bits = static_cast<std::uint8_t>(bits_of(instruction.getType())),
                .dst = result(instruction),
                .a = value,
                .d = static_cast<std::uint32_t>(bytecode::FloatFunction::negate)});
    return;
  }
  unsupported(instruction, fmt::format("the instruction '{}' is not supported", instruction.getOpcodeName()));
}

int FunctionLowering::slot_count(const llvm::Type* type) const {
  if (type->isVoidTy()) return 0;
  if (type->isPointerTy() || type->isFloatTy() || type->isDoubleTy()) return 1;
  if (type->isIntegerTy()) {
    const unsigned bits = type->getIntegerBitWidth();
    return bits <= 64 ? 1 : bits == 128 ? 2 : -1;
  }
  if (type->isX86_FP80Ty()) return 2;
  if (const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type)) {
    const int element = slot_count(vector->getElementType());
    return element < 0 || vector->getNumElements() > 4096 ? -1 : element * static_cast<int>(vector->getNumElements());
  }
  if (const auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    const int element = slot_count(array->getElementType());
    return element < 0 || array->getNumElements() > 4096 ? -1 : element * static_cast<int>(array->getNumElements());
  }
  if (const auto* structure = llvm::dyn_cast<llvm::StructType>(type)) {
    int total = 0;
    for (const llvm::Type* field : structure->elements()) {
      const int count = slot_count(field);
      if (count < 0) return -1;
      total += count;
    }
    return total;
  }
  return -1;
}

unsigned FunctionLowering::bits_of(const llvm::Type* type) {
  if (type->isIntegerTy()) return type->getIntegerBitWidth();
  if (type->isX86_FP80Ty()) return 80;
  return type->isFloatTy() ? 32 : 64;
}

bool FunctionLowering::supported_operands(const llvm::Instruction& instruction) {
  const auto bad = [&](const llvm::Type* type) {
    return !type->isMetadataTy() && !type->isLabelTy() && !type->isFunctionTy() && slot_count(type) < 0;
  };
  const llvm::Type* culprit = bad(instruction.getType()) ? instruction.getType() : nullptr;
  for (const llvm::Value* value : instruction.operands()) {
    if (!culprit && bad(value->getType())) culprit = value->getType();
  }
  if (!culprit) return true;
  unsupported(instruction, fmt::format("{} is not supported", describe(culprit)));
  return false;
}

void FunctionLowering::unsupported(const std::string& text) {
  code_.emit({.op = Opcode::unsupported, .a = module_.text(text)});
}

void FunctionLowering::unsupported(const llvm::Instruction& instruction, const std::string& text) {
  unsupported(text);
  define_zeros(instruction);
}

void FunctionLowering::define_zeros(const llvm::Value& value) {
  const int count = slot_count(value.getType());
  if (count > 0) define(value, Slots(static_cast<unsigned>(count), constant(0)));
}

Slots FunctionLowering::slots_of(const llvm::Value* value) {
  if (const auto known = values_.find(value); known != values_.end()) return known->second;
  Slots slots;
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
    constant_slots(constant, slots);
  } else {
    // A value of a type that is not supported; the place that made it has said so.
    slots.assign(static_cast<unsigned>(std::max(1, slot_count(value->getType()))), this->constant(0));
  }
  return slots;
}

void FunctionLowering::constant_slots(const llvm::Constant* value, Slots& slots) {
  const llvm::Type* type = value->getType();
  const int count = slot_count(type);
  if (llvm::isa<llvm::ConstantAggregateZero, llvm::UndefValue>(value)) {
    slots.append(static_cast<unsigned>(std::max(0, count)), constant(0));
    return;
  }
  if (type->isAggregateType() || type->isVectorTy()) {
    for (unsigned i = 0; const llvm::Constant* element = value->getAggregateElement(i); ++i) {
      constant_slots(element, slots);
    }
    return;
  }
  if (bits_of(type) > 64 && llvm::isa<llvm::ConstantInt, llvm::ConstantFP>(value)) {
    const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(value);
    const llvm::APInt bits =
        integer ? integer->getValue() : llvm::cast<llvm::ConstantFP>(value)->getValueAPF().bitcastToAPInt();
    const Operand pair = code_.constant_pair(bits.extractBitsAsZExtValue(64, 0),
                                             bits.extractBitsAsZExtValue(bits.getBitWidth() - 64, 64));
    slots.push_back(pair);
    slots.push_back(pair + 1);
    return;
  }
  const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value);
  if (const auto* local = variable ? module_.globals().thread_local_variable(variable) : nullptr;
      local && local->shared) {
    const Operand address = code_.new_register();
    code_.emit({.op = Opcode::move,
                .bits = 64,
                .dst = address,
                .a = constant(local->offset),
                .d = bytecode::thread_shared_base});
    slots.push_back(address);
    return;
  }
  if (const auto known = module_.globals().evaluate(value)) {
    slots.push_back(constant(*known));
    return;
  }
  unsupported(module_.globals().problem());
  slots.append(static_cast<unsigned>(std::max(1, count)), constant(0));
}

Operand FunctionLowering::operand(const llvm::Value* value) { return neighbours(slots_of(value)); }

Operand FunctionLowering::neighbours(const Slots& slots) {
  HEDDLE_CHECK(slots.size() == 1 || slots.size() == 2, "an operand is a scalar");
  if (slots.size() == 1 || code_.are_neighbours(slots[0], slots[1])) return slots[0];
  const bool constants = (slots[0] & slots[1] & bytecode::constant_bit) != 0;
  if (constants) return code_.constant_pair(code_.constant_value(slots[0]), code_.constant_value(slots[1]));
  const Operand pair = code_.new_registers(2);
  code_.move(pair, slots[0]);
  code_.move(pair + 1, slots[1]);
  return pair;
}

Operand FunctionLowering::result(const llvm::Value& value) {
  if (bits_of(value.getType()) > 64) {
    const Operand pair = code_.new_registers(2);
    define(value, Slots{pair, pair + 1});
    return pair;
  }
  const Operand single = code_.new_register();
  define(value, single);
  return single;
}

Operand FunctionLowering::add_addresses(Operand a, Operand b) {
  const bool a_constant = a & bytecode::constant_bit, b_constant = b & bytecode::constant_bit;
  if (a_constant && b_constant) return constant(code_.constant_value(a) + code_.constant_value(b));
  if (a_constant && code_.constant_value(a) == 0) return b;
  if (b_constant && code_.constant_value(b) == 0) return a;
  const Operand sum = code_.new_register();
  code_.emit({.op = Opcode::add, .bits = 64, .dst = sum, .a = a, .b = b});
  return sum;
}

}  // namespace heddle::frontend
