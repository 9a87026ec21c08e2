// The checked program's virtual address space. Every address a program sees lies below 2^47, so that programs which
// hide tags in the high 16 bits or in the low bits of a pointer work unchanged.
//
//   [0, 2^16)              never mapped: null dereferences land here
//   [functions, globals)   one 16-byte slot a function, so that function pointers have addresses
//   [globals, privates)    global variables, laid out by the front end; constants are never written
//   [privates, shareds)    objects only their own thread can reach; the same range for every thread, no events
//   [shareds, 2^47)        heap and stack objects and thread-locals that others may reach, 2^36 bytes a thread
//
// An address in `shareds` depends only on the thread and on that thread's earlier allocations.
#pragma once

#include <cstdint>

namespace heddle::bytecode {

using Address = std::uint64_t;

inline constexpr Address null_page_end = Address{1} << 16;
inline constexpr Address functions_begin = Address{1} << 28;
inline constexpr Address function_slot = 16;
inline constexpr Address globals_begin = Address{1} << 32;
inline constexpr Address privates_begin = Address{1} << 45;
inline constexpr Address shareds_begin = Address{1} << 46;
inline constexpr Address address_end = Address{1} << 47;
inline constexpr unsigned shared_bits_per_thread = 36;
inline constexpr unsigned max_threads = 1u << (46 - shared_bits_per_thread);

// Unmapped bytes between two neighbouring objects, so that small overruns never reach the next object.
inline constexpr Address object_gap = 4096;

inline bool is_null(Address a) { return a < null_page_end; }
inline bool is_function(Address a) { return a >= functions_begin && a < globals_begin; }
inline bool is_global(Address a) { return a >= globals_begin && a < privates_begin; }
inline bool is_private(Address a) { return a >= privates_begin && a < shareds_begin; }
inline bool is_shared_object(Address a) { return a >= shareds_begin && a < address_end; }
inline unsigned owner_thread(Address a) { return static_cast<unsigned>((a - shareds_begin) >> shared_bits_per_thread); }
inline Address shared_base(unsigned thread) { return shareds_begin + (Address{thread} << shared_bits_per_thread); }
inline Address address_of_function(std::uint32_t index) { return functions_begin + index * function_slot; }

}  // namespace heddle::bytecode
