// See tidy_code.h. Tested in code_builder_test.cpp.
#include "frontend/tidy_code.h"

#include <cstdint>
#include <vector>

namespace heddle::frontend {

using bytecode::Function;
using bytecode::Instruction;
using bytecode::Opcode;

namespace {

template <class Visitor>
void for_each_target(Function& function, Instruction& instruction, Visitor visit) {
  if (instruction.op == Opcode::jump) visit(instruction.a);
  if (instruction.op == Opcode::branch) {
    visit(instruction.b);
    visit(instruction.c);
  }
  if (instruction.op == Opcode::switch_on) {
    auto& table = function.switches[instruction.b];
    for (auto& entry : table.cases) visit(entry.target);
    visit(table.default_target);
  }
}

bool is_empty_move(const Instruction& instruction) {
  return instruction.op == Opcode::move && instruction.d == 0 && instruction.dst == instruction.a;
}

// Where control really arrives when it goes to `target`. A cycle of jumps is left as it is.
std::uint32_t final_target(const Function& function, std::uint32_t target) {
  std::uint32_t current = target;
  for (std::size_t steps = 0; steps < function.code.size(); ++steps) {
    const Instruction& instruction = function.code[current];
    if (is_empty_move(instruction)) {
      ++current;
    } else if (instruction.op == Opcode::jump && instruction.a != current) {
      current = instruction.a;
    } else {
      return current;
    }
  }
  return target;
}

bool goes_on(Opcode op) {
  return op != Opcode::jump && op != Opcode::branch && op != Opcode::switch_on && op != Opcode::return_values &&
         op != Opcode::unreachable;
}

std::vector<bool> find_reachable(Function& function) {
  std::vector<bool> reachable(function.code.size(), false);
  std::vector<std::uint32_t> pending{0};
  while (!pending.empty()) {
    std::uint32_t at = pending.back();
    pending.pop_back();
    while (at < function.code.size() && !reachable[at]) {
      reachable[at] = true;
      for_each_target(function, function.code[at], [&](std::uint32_t target) { pending.push_back(target); });
      if (!goes_on(function.code[at].op)) break;
      ++at;
    }
  }
  return reachable;
}

}  // namespace

void tidy_code(Function& function) {
  if (function.code.empty()) return;
  for (Instruction& instruction : function.code) {
    for_each_target(function, instruction, [&](std::uint32_t& target) { target = final_target(function, target); });
    if (instruction.op == Opcode::branch && instruction.b == instruction.c) {
      instruction = {.op = Opcode::jump, .a = instruction.b};
    }
  }
  std::vector<bool> kept = find_reachable(function);
  // A jump is not needed if nothing that is kept lies between it and its target.
  std::uint32_t next_kept = static_cast<std::uint32_t>(function.code.size());
  for (std::uint32_t i = next_kept; i-- > 0;) {
    const Instruction& instruction = function.code[i];
    if (!kept[i]) continue;
    const bool useless_jump = instruction.op == Opcode::jump && instruction.a > i && instruction.a == next_kept;
    if (useless_jump || is_empty_move(instruction)) {
      kept[i] = false;
    } else {
      next_kept = i;
    }
  }
  std::vector<std::uint32_t> new_index(function.code.size() + 1, 0);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < function.code.size(); ++i) {
    new_index[i] = count;  // a removed instruction's index becomes that of the next one kept
    if (!kept[i]) continue;
    function.code[count] = function.code[i];
    function.positions[count] = function.positions[i];
    ++count;
  }
  function.code.resize(count);
  function.positions.resize(count);
  for (Instruction& instruction : function.code) {
    for_each_target(function, instruction, [&](std::uint32_t& target) { target = new_index[target]; });
  }
}

}  // namespace heddle::frontend
