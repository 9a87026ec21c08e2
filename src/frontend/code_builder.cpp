// See code_builder.h. Tested in code_builder_test.cpp.
#include "frontend/code_builder.h"

#include <algorithm>

#include "base/check.h"
#include "frontend/allocate_registers.h"
#include "frontend/tidy_code.h"

namespace heddle::frontend {

using bytecode::constant_bit;

namespace {
constexpr std::uint32_t unbound = 0xffffffff;
}

Operand CodeBuilder::new_registers(unsigned slots) {
  const Operand first = function_.register_count;
  for (unsigned i = 0; i < slots; ++i) {
    groups_.first.push_back(first);
    groups_.size.push_back(i == 0 ? slots : 0);
  }
  function_.register_count += slots;
  return first;
}

bool CodeBuilder::are_neighbours(Operand first, Operand second) const {
  if (second != first + 1 || second >= bytecode::no_operand) return second == first + 1 && (first & constant_bit) != 0;
  return groups_.first[first] == groups_.first[second];
}

Operand CodeBuilder::constant(std::uint64_t value) {
  auto [entry, added] = constants_.try_emplace(value, 0);
  if (added) {
    entry->second = constant_bit | static_cast<Operand>(function_.constants.size());
    function_.constants.push_back(value);
  }
  return entry->second;
}

Operand CodeBuilder::constant_pair(std::uint64_t low, std::uint64_t high) {
  auto [entry, added] = constant_pairs_.try_emplace({low, high}, 0);
  if (added) {
    entry->second = constant_bit | static_cast<Operand>(function_.constants.size());
    function_.constants.push_back(low);
    function_.constants.push_back(high);
  }
  return entry->second;
}

Label CodeBuilder::new_label() {
  label_targets_.push_back(unbound);
  return static_cast<Label>(label_targets_.size() - 1);
}

void CodeBuilder::bind(Label label) {
  HEDDLE_CHECK(label_targets_[label] == unbound, "a label is bound once");
  label_targets_[label] = static_cast<std::uint32_t>(function_.code.size());
}

void CodeBuilder::jump(Label target) { emit({.op = Opcode::jump, .a = target}); }

void CodeBuilder::branch(Operand condition, Label if_true, Label if_false) {
  emit({.op = Opcode::branch, .a = condition, .b = if_true, .c = if_false});
}

void CodeBuilder::switch_on(Operand value, unsigned bits, bytecode::SwitchTable table_of_labels) {
  std::sort(table_of_labels.cases.begin(), table_of_labels.cases.end(),
            [](const auto& x, const auto& y) { return x.value < y.value; });
  function_.switches.push_back(std::move(table_of_labels));
  emit({.op = Opcode::switch_on,
        .bits = static_cast<std::uint8_t>(bits),
        .a = value,
        .b = static_cast<Operand>(function_.switches.size() - 1)});
}

void CodeBuilder::emit(const Instruction& instruction) {
  function_.code.push_back(instruction);
  function_.positions.push_back(position_);
}

void CodeBuilder::emit(Instruction instruction, std::span<const Operand> arguments) {
  instruction.first_argument = static_cast<std::uint32_t>(function_.arguments.size());
  instruction.argument_count = static_cast<std::uint32_t>(arguments.size());
  function_.arguments.insert(function_.arguments.end(), arguments.begin(), arguments.end());
  emit(instruction);
}

void CodeBuilder::move(Operand destination, Operand source) {
  if (destination != source) emit({.op = Opcode::move, .bits = 64, .dst = destination, .a = source});
}

void CodeBuilder::parallel_moves(std::vector<std::pair<Operand, Operand>> moves) {
  std::erase_if(moves, [](const auto& move) { return move.first == move.second; });
  while (!moves.empty()) {
    // A move whose destination no other move still reads can go first.
    const auto ready = std::find_if(moves.begin(), moves.end(), [&](const auto& candidate) {
      return std::none_of(moves.begin(), moves.end(),
                          [&](const auto& other) { return other.second == candidate.first; });
    });
    if (ready != moves.end()) {
      move(ready->first, ready->second);
      moves.erase(ready);
      continue;
    }
    // Only cycles are left: save one destination and let its readers read the copy.
    const Operand saved = new_register();
    const Operand destination = moves.front().first;
    move(saved, destination);
    for (auto& other : moves) {
      if (other.second == destination) other.second = saved;
    }
  }
}

bool CodeBuilder::ends_here() const {
  if (function_.code.empty()) return false;
  switch (function_.code.back().op) {
    case Opcode::jump:
    case Opcode::branch:
    case Opcode::switch_on:
    case Opcode::return_values:
    case Opcode::unreachable: return true;
    default: return false;
  }
}

bytecode::Function CodeBuilder::finish() {
  const auto resolve = [&](std::uint32_t& target) {
    target = label_targets_[target];
    HEDDLE_CHECK(target < function_.code.size(), "every label is bound before the end of the code");
  };
  for (Instruction& instruction : function_.code) {
    if (instruction.op == Opcode::jump) resolve(instruction.a);
    if (instruction.op == Opcode::branch) {
      resolve(instruction.b);
      resolve(instruction.c);
    }
  }
  for (auto& table : function_.switches) {
    for (auto& entry : table.cases) resolve(entry.target);
    resolve(table.default_target);
  }
  tidy_code(function_);
  allocate_registers(function_, groups_);
  tidy_code(function_);  // moves that became empty left jumps to jumps behind
  return std::move(function_);
}

}  // namespace heddle::frontend
