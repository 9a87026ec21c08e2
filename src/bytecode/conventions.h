// What the meaning of a program leaves open and every implementation of it must settle in the same way, because it can
// be seen in addresses, values or events. The machine follows it, and so does the validator's own interpreter, which
// shares no code with the machine.
//
// Objects. Every thread hands out the addresses of its objects in increasing order and never again.
//  * Private ones: the next one begins at the next multiple of its alignment from a mark on, and the mark moves to its
//    end plus object_gap. The mark starts at privates_begin + object_gap, behind the private thread-locals (rounded up
//    to 64 bytes) if there are any.
//  * Shared ones, stack and heap alike: the same from shared_base(thread) + shared thread-locals + object_gap, where an
//    object of no bytes counts as one byte. What does not fit into the thread's range is a null pointer (heap) or a
//    stack overflow.
//  * An alignment is at least least_alignment and at most largest_alignment.
//  * A private stack object that would make its thread's live private memory exceed private_bytes_per_thread (sizes
//    rounded up to 8) is a shared one.
//  * An address of the private range that lies in no live object is out of bounds if it was never handed out or lies
//    within object_gap of a live object; otherwise what it belonged to is dead.
//  * Registers of a new frame are zero.
//
// Block operations (memory_copy, memory_move, memory_set, va_copy, the copying of reallocate, memory_compare) are
// sequences of plain accesses of 1, 2, 4 or 8 bytes, lowest address first; a memory_move to higher addresses that
// overlap begins at the end. Of each element the source is read first, then the target is written (memory_compare:
// first both are read). How a block is divided is free: the explorer uses the sizes of the program's own accesses and
// otherwise what the alignment of the visible addresses allows. If source and target lie in private or constant memory
// as a whole, 'uninitialised' is copied along; otherwise whatever is written is initialised. Reading uninitialised
// bytes is no error in a block operation, except in memory_compare.
//
// Library calls and their events, in this order; an access to private or constant memory is none:
//  * thread_create: create, then the id + 1 is written to the first argument (8 bytes, plain).
//  * thread_join: join, then the result is written if the second argument is not null (8 bytes; c11: 4).
//  * the end of a thread: its shared stack objects are released, newest first, then Program::at_thread_end runs, then
//    finish. The value of a c11 thread has 32 bits. The main thread's finish is an event only if another thread joins
//    it. exit_program is the finish of the calling thread, without the rest.
//  * return: the function's shared stack objects are released, newest first.
//  * allocate: allocate. release: release; nothing for a null pointer. reallocate: allocate, the copying, release;
//    without the last two for a null pointer; only release for a size of zero.
//  * mutex_init, mutex_destroy, barrier_init, barrier_destroy: one plain write.
//  * mutex_lock, mutex_trylock: an exclusive acquire read, then, unless it found the mutex held, an exclusive relaxed
//    write of the value with mutex_held set. Nothing if the thread holds the mutex and it is recursive or checking.
//  * mutex_unlock: a release write of the value that the lock had read; nothing if a recursive one stays held. A
//    thread that does not hold the mutex makes a relaxed read instead: a checking one returns an error number.
//  * barrier_wait, if the order of arrivals is left open: an acquire read of the word, which stays as it is, then meet,
//    arrive, leave, pass. Arrivals and passes end like a thread, and the meets and leaves of other threads follow them
//    like joins, one after the other: all arrivals of a round (each with its meet, the first of which follows nothing),
//    then all leaves with their passes. Only if no barrier_wait of the program has a result.
//    Otherwise: an exclusive acquire-release read and write that adds one; then, unless it is the last of its round,
//    an acquire read of a value with at least that round's arrivals (the one that completes the round).
//  * format_to_buffer: plain writes of one byte each, with the final zero. The _va calls read the overflow area's
//    address (8 bytes, plain) first. Printing is an event only on replay.
//  * va_start: makes a private object with the variadic arguments, 8 bytes each, then writes the four fields of
//    va_list_fields.
#pragma once

#include <cstdint>

#include "bytecode/address_space.h"

namespace heddle::bytecode {

inline constexpr std::uint64_t least_alignment = 16;
inline constexpr std::uint64_t largest_alignment = 1 << 20;
inline constexpr std::uint64_t private_bytes_per_thread = 1 << 20;
inline constexpr std::uint64_t largest_block_operation = std::uint64_t{1} << 29;  // bytes; this many are too many

// A mutex is a word: the low byte says whether it is held, the next byte is 1 + its kind once it was initialised by a
// call (0: statically; a global's kind is then in its initial bytes), the byte after that is 1 once destroyed.
inline constexpr unsigned mutex_word_size = 4;
inline constexpr std::uint64_t mutex_held_mask = 0xff;
inline constexpr std::uint64_t mutex_destroyed = std::uint64_t{1} << 16;
inline constexpr Address mutex_kind_offset = 16;  // of the int in a statically initialised pthread_mutex_t
enum MutexKind : std::uint32_t { normal_mutex = 0, recursive_mutex = 1, checking_mutex = 2 };

// A barrier is a word: bit 63 says that it is set up, bits 32..62 for how many threads, and the low half counts the
// arrivals of all rounds.
inline constexpr unsigned barrier_word_size = 8;
inline constexpr std::uint64_t barrier_ready = std::uint64_t{1} << 63;
inline constexpr std::uint64_t barrier_serial_thread = 0xffffffff;  // -1 as an int

// What the calls return, as on Linux.
inline constexpr std::uint64_t error_not_permitted = 1, error_busy = 16, error_deadlock = 35;

// A va_list of x86-64 whose arguments all lie in the overflow area.
struct VaListField {
  Address offset;
  unsigned size;
};
inline constexpr VaListField va_list_fields[] = {{0, 4}, {4, 4}, {8, 8}, {16, 8}};
inline constexpr std::uint64_t all_general_registers_used = 48, all_float_registers_used = 176;
inline constexpr Address va_overflow_area_offset = 8;
inline constexpr std::uint64_t va_list_bytes = 24;

// Output: what a format asks beyond these is cut. A string that other threads can reach appears as "?".
inline constexpr int widest_conversion = 4096;
inline constexpr std::uint64_t longest_text = 1 << 20;

}  // namespace heddle::bytecode
