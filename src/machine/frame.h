// One call in progress: registers, and where its function goes on when the callee returns. Frames are shared by all
// thread states that have the call in common, and copied before they are written if more than one state or frame
// refers to them. The registers lie right behind the record, in the same block.
#pragma once

#include <cstdint>
#include <cstring>

#include "bytecode/program.h"
#include "machine/pool.h"

namespace heddle::machine {

struct Frame;
void count_snapshots(Frame& frame, int change) noexcept;  // spinning.cpp

struct Frame {
  std::uint32_t references;
  std::uint32_t slots;               // registers, then the variadic arguments
  Pool* pool;
  Frame* caller;                     // counted; null for a thread's start function
  const bytecode::Function* function;
  std::uint32_t function_index;
  std::uint32_t return_to;           // index of the call instruction in the caller
  std::uint32_t depth;               // 1 for a thread's start function
  std::uint32_t private_objects;     // how many the thread had when the call began: its own come after
  std::uint32_t shared_objects;      // the same for shared stack objects

  std::uint64_t* registers() { return reinterpret_cast<std::uint64_t*>(this + 1); }
  const std::uint64_t* registers() const { return reinterpret_cast<const std::uint64_t*>(this + 1); }
  std::uint32_t variadic_slots() const { return slots - function->register_count; }

  static std::size_t bytes_for(std::uint32_t slots) { return sizeof(Frame) + slots * sizeof(std::uint64_t); }

  static Frame* make(Pool& pool, std::uint32_t slots) {
    auto* frame = static_cast<Frame*>(pool.allocate(bytes_for(slots)));
    frame->references = 1;
    frame->slots = slots;
    frame->pool = &pool;
    return frame;
  }

  Frame* clone() const {
    auto* copy = static_cast<Frame*>(pool->allocate(bytes_for(slots)));
    std::memcpy(static_cast<void*>(copy), this, bytes_for(slots));
    copy->references = 1;
    if (caller) ++caller->references;
    if (!function->loops.empty()) count_snapshots(*copy, 1);
    return copy;
  }

  static void release(Frame* frame) noexcept {
    while (frame && --frame->references == 0) {
      Frame* caller = frame->caller;
      if (!frame->function->loops.empty()) count_snapshots(*frame, -1);
      frame->pool->release(frame, bytes_for(frame->slots));
      frame = caller;
    }
  }
};

}  // namespace heddle::machine
