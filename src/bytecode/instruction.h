// The flat instruction record: the only program form that the machine knows.
//
// Registers are 64-bit slots of the current frame. An integer of up to 64 bits takes one slot and is kept
// zero-extended; a 128-bit integer takes two neighbouring slots, low half first; a float takes one slot holding its
// bits (32-bit floats in the low half), and an 80-bit one (long double) two. A first-class struct, array or vector is
// flattened: its scalar leaves take slots in order, so that taking it apart and putting it together are moves.
//
// An operand is a register, or an entry of the function's constant pool (two neighbouring entries for 128 bits).
// `bits` is the width of the operation where that matters. Phi nodes are gone: the front end emits moves.
#pragma once

#include <cstdint>

#include "base/memory_order.h"

namespace heddle::bytecode {

// Register number, or constant_bit | index into Function::constants.
using Operand = std::uint32_t;
inline constexpr Operand constant_bit = Operand{1} << 31;
inline constexpr Operand no_operand = 0x7fffffff;

// clang-format off
enum class Opcode : std::uint16_t {
  // dst <- a. `bits` 128 moves two slots.
  move,
  // dst <- a op b, `bits` 1..64 or 128. Division by zero and INT_MIN / -1 are errors of the checked program.
  // A shift by `bits` or more gives 0 (arithmetic: the sign).
  add, sub, mul, udiv, sdiv, urem, srem, shl, lshr, ashr, bit_and, bit_or, bit_xor,
  // dst <- a op b as 0 or 1, `bits` 1..64 or 128.
  equal, not_equal, unsigned_less, unsigned_less_equal, signed_less, signed_less_equal,
  // dst <- a ? b : c. `bits` 128 selects two slots.
  select,
  // dst <- low `bits` bits of a (reads only a's low slot).
  truncate,
  // dst <- a sign-extended from `bits` (1..64) to `c` bits (c is a literal, 8..64 or 128).
  sign_extend,
  // dst, dst+1 <- a zero-extended from at most 64 bits to 128.
  zero_extend_128,
  // dst <- a op b, dst+1 <- overflowed; `c` is a literal OverflowOp; `bits` 8..64.
  overflow_arithmetic,
  // dst <- function of a, b, c; `d` is a literal IntegerFunction; `bits` 8..64 (or 128 for byte_swap, leading/trailing
  // zeros, population count).
  integer_function,
  // Floating point; `bits` 32, 64 or 80. float_binary: `c` is a literal FloatOp. float_compare: `c` is a literal
  // FloatPredicate, result 0 or 1. float_function: dst <- f(a, b, c), `d` is a literal FloatFunction.
  float_binary, float_compare, float_function,
  // dst <- a converted; `bits` is the source width, `c` (a literal) the destination width.
  float_to_float, float_to_signed, float_to_unsigned, signed_to_float, unsigned_to_float,

  // Control. Targets are literal instruction indices in the same function.
  jump,             // to a
  branch,           // a != 0 ? b : c
  switch_on,        // value a (`bits` 1..64), Function::switches[b]
  call,             // dst... <- functions[b](arguments); dst is no_operand if void
  call_indirect,    // the same, with the address of the callee in operand a
  return_values,    // arguments are the returned slots
  // Reaching it is undefined behaviour of the checked program; a is a literal index into Program::texts that says why,
  // or no_operand.
  unreachable,
  // Loop bounds, emitted only when a bound was asked for: a counter in register dst, set to 0 on entry to the loop,
  // counted up on its back edge. Reaching the machine's bound on a back edge yields ActionKind::bound.
  loop_begin,       // dst <- 0
  // dst <- dst + 1, stop if it has reached the bound + d (literal: 1 if the loop tests before its body). The bound is a,
  // a literal, where 0 means none; or the machine's general one, if a is no_operand.
  loop_iterate,
  // On every edge into the head of a loop that may come back to the same state: a is a literal index into
  // Function::loops. If the thread was here before in this call, its live registers and private memory were the same,
  // and it has only read since then, it spins: the machine yields ActionKind::spin.
  watch_loop,

  // Memory. a is the address, `bits` the width of the access (8, 16, 32, 64, 128), `order` its memory order.
  load,             // dst <- [a]
  store,            // [a] <- b
  // dst <- [a], [a] <- dst op b, atomically. `d` is a literal RmwOp.
  read_modify_write,
  // dst <- [a]; if dst == b then [a] <- c. The slot after dst (after both of its halves at 128 bits) gets 1 or 0.
  // `order` on success, `d` (a literal MemoryOrder) on failure.
  compare_exchange,
  fence,            // `order`; a compiler-only fence is not emitted at all

  // dst <- address of a new stack object that lives until the function returns. a: size in bytes (operand),
  // b: literal alignment, c: literal StackObjectKind, d: literal index into Program::objects_of_code (name and type).
  stack_object,
  // Restores the stack as it was when the register a was filled by stack_save. Frees the objects made since.
  stack_save,       // dst <- a token
  stack_restore,    // a
  // Block operations; c: length in bytes (operand). They become a sequence of plain accesses.
  memory_copy,      // from [b] to [a], not overlapping
  memory_move,      // the same, overlapping allowed
  memory_set,       // [a] <- low byte of b
  // Variadic functions, System V x86-64: fills the va_list at [a] so that every argument is found in the overflow area.
  va_start,
  va_copy,          // from [b] to [a]

  // Everything the library does: `d` is a literal LibraryCall, operands are the arguments, dst the result (if any).
  library,
  // Reaching it is an unsupported feature: `a` is a literal index into Program::texts that names it.
  unsupported,
};

enum class OverflowOp : std::uint32_t { signed_add, unsigned_add, signed_sub, unsigned_sub, signed_mul, unsigned_mul };

enum class IntegerFunction : std::uint32_t {
  population_count, leading_zeros, trailing_zeros,  // of zero: `bits`
  byte_swap, bit_reverse, funnel_left, funnel_right, absolute,
  signed_min, signed_max, unsigned_min, unsigned_max,
  signed_add_saturated, unsigned_add_saturated, signed_sub_saturated, unsigned_sub_saturated,
};

enum class FloatOp : std::uint32_t { add, subtract, multiply, divide, remainder };

// Bit 0: equal, bit 1: greater, bit 2: less, bit 3: unordered, as in LLVM's fcmp.
using FloatPredicate = std::uint32_t;

enum class FloatFunction : std::uint32_t {
  negate, absolute, square_root, floor, ceiling, truncate, round, round_even, minimum, maximum, copy_sign,
  fused_multiply_add, power, exponential, logarithm, sine, cosine,
};

enum class RmwOp : std::uint32_t {
  exchange, add, subtract, bit_and, bit_nand, bit_or, bit_xor, signed_max, signed_min, unsigned_max, unsigned_min,
  increment_wrap, decrement_wrap, float_add, float_subtract,
};

enum class StackObjectKind : std::uint32_t { private_object, shared_object };

// Library functions the machine knows. Arguments are in the order of the C function unless said otherwise.
// Those that need no more than other C code are written in C, in runtime/.
enum class LibraryCall : std::uint32_t {
  // pthread_create without its attribute: (pthread_t* thread, void* (*function)(void*), void* argument) -> 0.
  thread_create,
  // The same for C11: the function returns int, which becomes the thread's value.
  thread_create_c11,
  thread_join,     // (pthread_t thread, void** result or null) -> 0
  thread_join_c11, // (thrd_t thread, int* result or null) -> 0
  thread_exit,     // (void* value)
  thread_self,     // () -> pthread_t
  thread_detach,   // (pthread_t) -> 0
  mutex_init,      // (pthread_mutex_t*, int kind: 0 normal, 1 recursive, 2 error-checking)
  mutex_lock, mutex_trylock, mutex_unlock, mutex_destroy,  // (pthread_mutex_t*) -> error number
  barrier_init,    // (pthread_barrier_t*, unsigned count) -> 0
  barrier_wait,    // (pthread_barrier_t*) -> 0 or PTHREAD_BARRIER_SERIAL_THREAD
  barrier_destroy, // (pthread_barrier_t*) -> 0
  // (unsigned* word, low, high, delta) -> old value: adds delta if the word lies between low and high, both included
  // and without a sign: an acquire read-modify-write; else a relaxed read.
  add_between,
  allocate,        // (size) -> pointer, uninitialised; also malloc(0) gives a unique pointer
  allocate_zeroed, // (size) -> pointer, zeroed
  allocate_aligned, // (alignment, size) -> pointer
  reallocate,      // (pointer, size) -> pointer
  release,         // free(pointer)
  memory_compare,  // memcmp(a, b, n) -> int
  assume,          // (condition): executions where it is 0 are not counted
  choose,          // (low, high, literal bits): every value from low to high, signed, inclusive
  assertion_failed, // (const char* expression): the program's own assertion failed here
  lock_misuse,     // (const char* text): a lock of the library was used in a way it must not be
  abort_program,   // () abort
  exit_program,    // (int status): ends the whole program
  print,           // (FILE* or fd ignored, const char* format, arguments...): printf family that writes to a stream
  put_string,      // (const char* text, newline literal 0/1)
  put_character,   // (int)
  format_to_buffer, // snprintf: (char* buffer, size_t size, const char* format, arguments...) -> int
  format_to_buffer_va, // vsnprintf: (char* buffer, size_t size, const char* format, va_list) -> int
  print_va,        // vprintf: (const char* format, va_list) -> int
  yield_thread,    // sched_yield and friends: nothing happens
};

// clang-format on
struct Instruction {
  Opcode op{};
  std::uint8_t bits = 0;
  MemoryOrder order = MemoryOrder::plain;
  std::uint32_t dst = no_operand;
  Operand a = no_operand;
  Operand b = no_operand;
  Operand c = no_operand;
  std::uint32_t d = 0;
  // Arguments of calls, returns and library calls: Function::arguments[first_argument .. + argument_count).
  std::uint32_t first_argument = 0;
  std::uint32_t argument_count = 0;
};

}  // namespace heddle::bytecode
