// Builds small programs instruction by instruction, for tests. Every emitting function returns the register (or first
// register) of its result. Jumps go to labels, which are bound to a place before or after they are used.
//
//   ProgramBuilder program;
//   Address x = program.global("x", 4);
//   FunctionBuilder main("main");
//   Operand value = main.load(main.constant(x), 32, MemoryOrder::relaxed);
//   main.return_values({value});
//   program.add(main);
//
// Tested in builder_test.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "bytecode/program.h"

namespace heddle::bytecode {

class FunctionBuilder {
 public:
  using Label = std::uint32_t;

  explicit FunctionBuilder(std::string name, std::uint32_t parameter_slots = 0, bool variadic = false);

  Operand parameter(std::uint32_t index) const { return index; }
  Operand constant(std::uint64_t low);
  Operand wide_constant(std::uint64_t low, std::uint64_t high);
  Operand new_registers(std::uint32_t slots = 1);

  // A loop at whose head these registers matter; emit Opcode::watch_loop with the result on every edge to the head.
  std::uint32_t new_loop(std::vector<std::uint32_t> live);

  Label new_label();
  void bind(Label label);

  // The general form; the rest are abbreviations. Returns the index of the instruction.
  std::uint32_t emit(Instruction instruction);
  std::uint32_t emit(Instruction instruction, const std::vector<Operand>& arguments);

  Operand binary(Opcode op, Operand a, Operand b, unsigned bits = 32);
  void move(Operand to, Operand from, unsigned bits = 64);
  void jump(Label target);
  void switch_on(Operand value, unsigned bits, std::vector<SwitchTable::Case> cases_to_labels, Label default_label);
  void branch(Operand condition, Label if_true, Label if_false);
  Operand call(std::uint32_t function, const std::vector<Operand>& arguments, std::uint32_t result_slots = 1);
  Operand call_indirect(Operand address, const std::vector<Operand>& arguments, std::uint32_t result_slots = 1);
  void return_values(const std::vector<Operand>& values = {});

  Operand load(Operand address, unsigned bits = 32, MemoryOrder order = MemoryOrder::plain);
  void store(Operand address, Operand value, unsigned bits = 32, MemoryOrder order = MemoryOrder::plain);
  Operand read_modify_write(RmwOp op, Operand address, Operand value, unsigned bits, MemoryOrder order);
  // The old value, and in the register after it (after both halves of a 128-bit one) whether it was exchanged.
  Operand compare_exchange(Operand address, Operand expected, Operand desired, unsigned bits, MemoryOrder success,
                           MemoryOrder failure);
  void fence(MemoryOrder order);
  Operand stack_object(std::uint64_t size, StackObjectKind kind, std::uint32_t alignment = 16);
  Operand library(LibraryCall call, const std::vector<Operand>& arguments = {});

  // The function, with all labels resolved. The builder is empty afterwards.
  Function finish();

 private:
  Function function_;
  std::vector<std::uint32_t> labels_;  // where each is bound
};

class ProgramBuilder {
 public:
  ProgramBuilder();

  // Globals lie far apart, as the front end lays them out.
  Address global(std::string name, std::uint64_t size, std::vector<std::uint8_t> bytes = {}, bool constant = false);
  Address constant_text(std::string_view text);  // with its final zero byte
  // The index of the function. The first one added is the program's entry.
  std::uint32_t add(FunctionBuilder& function);

  Program program;
};

}  // namespace heddle::bytecode
