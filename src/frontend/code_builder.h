// Collects the bytecode of one function: registers, constants, labels, instructions with their positions. Knows no
// LLVM. Jumps refer to labels until `finish` resolves them; `finish` also removes jumps to jumps and unreachable code
// (tidy_code) and packs the registers (allocate_registers).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "bytecode/program.h"

namespace heddle::frontend {

using bytecode::Instruction;
using bytecode::Opcode;
using bytecode::Operand;
using Label = std::uint32_t;

// For the field `bits` of an instruction.
inline std::uint8_t byte(unsigned bits) { return static_cast<std::uint8_t>(bits); }

// Registers that must stay neighbours (the halves of a 128-bit value, the results of a call): for each register the
// first one of its group, and for the first one the size of the group.
struct RegisterGroups {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> size;
};

class CodeBuilder {
 public:
  // The first of `slots` new neighbouring registers.
  Operand new_registers(unsigned slots);
  Operand new_register() { return new_registers(1); }
  // Whether `second` is and will stay the slot after `first`.
  bool are_neighbours(Operand first, Operand second) const;
  // Constants are pooled.
  Operand constant(std::uint64_t value);
  Operand constant_pair(std::uint64_t low, std::uint64_t high);
  std::uint64_t constant_value(Operand operand) const { return function_.constants[operand & ~bytecode::constant_bit]; }

  Label new_label();
  void bind(Label label);
  void jump(Label target);
  void branch(Operand condition, Label if_true, Label if_false);
  void switch_on(Operand value, unsigned bits, bytecode::SwitchTable table_of_labels);

  // The position given to every instruction from now on.
  void set_position(bytecode::SourcePosition position) { position_ = position; }
  const bytecode::SourcePosition& position() const { return position_; }

  void emit(const Instruction& instruction);
  void emit(Instruction instruction, std::span<const Operand> arguments);
  void move(Operand destination, Operand source);
  // All moves at once: every source is read before any destination is written.
  void parallel_moves(std::vector<std::pair<Operand, Operand>> moves);
  // True if the last instruction never goes on to the next one, so that nothing more is needed to end a block.
  bool ends_here() const;

  bytecode::Function& function() { return function_; }
  bytecode::Function finish();

 private:
  bytecode::Function function_;
  bytecode::SourcePosition position_;
  RegisterGroups groups_;
  std::vector<std::uint32_t> label_targets_;
  std::unordered_map<std::uint64_t, Operand> constants_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Operand> constant_pairs_;
};

}  // namespace heddle::frontend
