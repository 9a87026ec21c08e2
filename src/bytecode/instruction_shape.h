// What the fields of each instruction mean, as a table, for code that treats all instructions alike: the verifier and
// the text dump. Tested in verify_program_test.cpp and print_program_test.cpp.
#pragma once

#include <cstdint>

#include "bytecode/instruction.h"

namespace heddle::bytecode {

enum class FieldUse : std::uint8_t {
  none,
  slot,               // an operand of one slot
  value,              // an operand as wide as the instruction's `bits`
  optional_value,     // the same, or no_operand
  width,              // a literal number of bits
  target,             // the index of an instruction
  function,           // an index into Program::functions
  switch_table,       // an index into Function::switches
  loop,               // an index into Function::loops
  text,               // an index into Program::texts
  optional_text,      // the same, or no_operand
  object,             // an index into Program::objects_of_code
  number,             // any literal
  optional_number,    // the same, or no_operand
  overflow_op,
  integer_function,
  float_op,
  float_predicate,
  float_function,
  rmw_op,
  memory_order,
  stack_object_kind,
  library_call,       // literals of the enumerations of these names
};

enum class ResultUse : std::uint8_t {
  none,
  slot,               // one slot
  value,              // as wide as `bits`
  optional_value,     // the same, or no_operand
  optional_value_and_flag,  // the same, then one slot more
  two_slots,
  converted,          // as wide as the literal in c
  call,               // what the callee returns, or no_operand
  optional_slot,
};

enum class WidthUse : std::uint8_t {
  none,
  any,                // of a move: 128, or at most 64
  integer,            // 1..64 or 128
  narrow,             // 1..64
  floating,           // 32, 64 or 80
  access,             // 8, 16, 32, 64 or 128
};

struct InstructionShape {
  const char* name = "";
  ResultUse result = ResultUse::none;
  WidthUse width = WidthUse::none;
  FieldUse a = FieldUse::none, b = FieldUse::none, c = FieldUse::none, d = FieldUse::none;
  bool has_arguments = false;
  bool ends_block = false;   // control never falls through to the next instruction
};

inline constexpr std::uint32_t opcode_count = static_cast<std::uint32_t>(Opcode::unsupported) + 1;
const InstructionShape& shape_of(Opcode op);

// How many values the enumeration has that a literal field names; 0 if the field is no enumeration.
std::uint32_t literal_count(FieldUse use);
// The name of such a value; "?" beyond the last.
const char* literal_name(FieldUse use, std::uint32_t value);

// The arguments of a library call: how many at least, and which of them (or none: 99) is a literal.
struct LibraryShape {
  const char* name = "";
  std::uint32_t arguments = 0;
  bool variadic = false;
  std::uint32_t literal_argument = 99;
};
inline constexpr std::uint32_t library_call_count = static_cast<std::uint32_t>(LibraryCall::yield_thread) + 1;
const LibraryShape& shape_of(LibraryCall call);

}  // namespace heddle::bytecode
