// What the model language can say about a single event, as one bit each. An event's labels never change except when
// a compare-exchange read turns out to fail or succeed. `.kat` set names are in brackets.
#pragma once

#include <cstdint>

namespace heddle::graph {

using Labels = std::uint64_t;

// clang-format off
enum Label : Labels {
  label_read = 1u << 0,              // [R]
  label_write = 1u << 1,             // [W], initial writes too
  label_fence = 1u << 2,             // [F]
  label_plain = 1u << 3,             // [NA] non-atomic access
  label_relaxed = 1u << 4,           // [RLX] exactly relaxed
  label_acquire = 1u << 5,           // [ACQ] acquire or stronger: reads and fences
  label_release = 1u << 6,           // [REL] release or stronger: writes and fences
  label_sc = 1u << 7,                // [SC] seq_cst: reads, writes and fences
  label_rmw_read = 1u << 8,          // [UR] read half of a successful read-modify-write
  label_rmw_write = 1u << 9,         // [UW] write half
  label_create = 1u << 10,           // [TC]
  label_begin = 1u << 11,            // [TB]
  label_finish = 1u << 12,           // [TE]
  label_join = 1u << 13,             // [TJ]
  label_lock_read = 1u << 14,        // [LR] read that takes (or tries to take) a mutex
  label_lock_write = 1u << 15,       // [LW] write that takes it
  label_unlock = 1u << 16,           // [UL] write that frees it
  label_allocate = 1u << 17,         // [ALLOC]
  label_free = 1u << 18,             // [FREE]
  label_initial = 1u << 19,          // [IW] initial write of a location
  label_atomic = 1u << 20,           // [AT] access of order relaxed or stronger
  label_exclusive_read = 1u << 21,   // [RX] read half of any read-modify-write, also of one that fails
  label_other = 1u << 22,            // anything else: choices, detach, ...
};

// clang-format on

}  // namespace heddle::graph
