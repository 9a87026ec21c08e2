// The state of one thread as a value of 56 bytes: where it is, and counted references to its innermost frame and to
// its private state. Copying one costs two increments; a machine copies what lies behind it before writing to it.
// Tested in thread_state_test.cpp and machine_test.cpp.
#pragma once

#include <cstdint>
#include <utility>

#include "base/value.h"
#include "machine/frame.h"
#include "machine/private_state.h"

namespace heddle::machine {

// What an action leaves behind.
enum class Effect : std::uint8_t {
  none,
  lasting,
  update,  // of memory, in a way that a later update can undo
  silent,  // it is not even an action that becomes an event
};

class ThreadState {
 public:
  ThreadState() = default;
  ThreadState(const ThreadState& other) noexcept
      : frame_(other.frame_),
        private_(other.private_),
        counter_(other.counter_),
        phase_(other.phase_),
        scratch_(other.scratch_),
        actions_(other.actions_),
        effects_(other.effects_),
        updates_(other.updates_),
        parked_at_(other.parked_at_) {
    if (frame_) {
      ++frame_->references;
      ++private_->references;
    }
  }
  ThreadState(ThreadState&& other) noexcept
      : frame_(std::exchange(other.frame_, nullptr)),
        private_(std::exchange(other.private_, nullptr)),
        counter_(other.counter_),
        phase_(other.phase_),
        scratch_(other.scratch_),
        actions_(other.actions_),
        effects_(other.effects_),
        updates_(other.updates_),
        parked_at_(other.parked_at_) {}
  ThreadState& operator=(const ThreadState& other) noexcept {  // NOLINT(bugprone-unhandled-self-assignment): handled
    if (other.frame_) {  // before releasing our own: they may be the same
      ++other.frame_->references;
      ++other.private_->references;
    }
    release();
    take_fields(other);
    return *this;
  }
  ThreadState& operator=(ThreadState&& other) noexcept {
    if (this == &other) return *this;
    release();
    take_fields(other);
    other.frame_ = nullptr;
    other.private_ = nullptr;
    return *this;
  }
  ~ThreadState() { release(); }

  void swap(ThreadState& other) noexcept {
    std::swap(frame_, other.frame_);
    std::swap(private_, other.private_);
    std::swap(counter_, other.counter_);
    std::swap(phase_, other.phase_);
    std::swap(scratch_, other.scratch_);
    std::swap(actions_, other.actions_);
    std::swap(effects_, other.effects_);
    std::swap(updates_, other.updates_);
    std::swap(parked_at_, other.parked_at_);
  }

  bool empty() const { return frame_ == nullptr; }

 private:
  friend class Machine;

  void release() noexcept {
    Frame::release(frame_);
    PrivateState::release(private_);
  }
  void take_fields(const ThreadState& other) noexcept {
    frame_ = other.frame_;
    private_ = other.private_;
    counter_ = other.counter_;
    phase_ = other.phase_;
    scratch_ = other.scratch_;
    actions_ = other.actions_;
    effects_ = other.effects_;
    updates_ = other.updates_;
    parked_at_ = other.parked_at_;
  }

  Frame* frame_ = nullptr;          // both null or neither
  PrivateState* private_ = nullptr;
  std::uint32_t counter_ = 0;       // index of the next instruction, or of the one whose action is awaited
  std::uint32_t phase_ = 0;         // how far an instruction of several actions has come; 0: at its start
  Value scratch_;                   // what such an instruction has to remember
  std::uint32_t actions_ = 0;       // visible ones so far, without the one it is parked at
  std::uint32_t effects_ = 0;       // those among them that others could notice, but for
  std::uint32_t updates_ = 0;       // ... those that a later one can undo
  Effect parked_at_ = Effect::none; // what the next action has
};

static_assert(sizeof(ThreadState) <= 56);

}  // namespace heddle::machine
