// The functions of the C library that the machine knows, by name: which LibraryCall they become and with which
// arguments. Also what they do with pointers (for the capture analysis). A plain table; knows no LLVM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "bytecode/instruction.h"

namespace heddle::frontend {

// What a call of a library function is turned into.
enum class LibraryKind : std::uint8_t {
  call,            // Opcode::library
  nothing,         // no effect; the result, if any, is 0
  zeroed_array,    // calloc
  copy,
  move,
  set, // block operations; the result is the first argument
  float_function,  // Opcode::float_function
  float_remainder, // fmod
  choose,          // heddle_choose and the nondeterministic values of SV-COMP
  unsupported,     // Opcode::unsupported with the text given
};

struct LibraryFunction {
  LibraryKind kind = LibraryKind::call;
  bytecode::LibraryCall call{};
  // The arguments of the library call: a digit is an argument of the C function, z, o and m are the constants 0, 1 and
  // SIZE_MAX, * stands for all the variadic ones.
  std::string_view arguments;
  bool has_result = false;  // the library call has one; otherwise the C function's result is 0
  std::string_view captured;  // digits: arguments that may reach another thread, or name visible objects
  bytecode::FloatFunction function{};
  std::int64_t low = 0, high = 0;  // choose, if `arguments` is empty
  std::string_view text;  // unsupported: why, as a sentence
};

// Null if the machine knows no such function.
const LibraryFunction* find_library_function(std::string_view name);

// __atomic_load_8 and friends: `operation` is "load", "store", "exchange", "compare_exchange", "fetch_add", ...;
// `size` is 0 for the generic ones, which take it as their first argument.
struct AtomicFunction {
  std::string_view operation;
  unsigned size = 0;
};
bool parse_atomic_function(std::string_view name, AtomicFunction& result);

// Whether Heddle's bytecode expresses the function without runtime/library.c.
bool is_library_function(std::string_view name);

enum class ArgumentEffect { harmless, returned, captured };
// What a function that the program only declares does with a pointer given as its argument `index`.
ArgumentEffect effect_on_argument(std::string_view name, unsigned index);

}  // namespace heddle::frontend
