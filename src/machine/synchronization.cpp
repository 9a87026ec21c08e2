// Mutexes and barriers: what they are in memory, and which accesses their functions make.
//
// What the words of mutexes and barriers mean is told in bytecode/conventions.h. Who holds a mutex is also kept in the
// holder's private state, with the depth of a recursive one, so that only the outermost lock and unlock are visible.
#include "base/check.h"
#include "machine/implementation.h"

namespace heddle::machine {

namespace {

using bytecode::barrier_ready;
using bytecode::barrier_serial_thread;
using bytecode::barrier_word_size;
using bytecode::mutex_destroyed;

std::uint64_t count_of(std::uint64_t word) { return (word & ~barrier_ready) >> 32; }
std::uint64_t arrivals_of(std::uint64_t word) { return word & 0xffffffff; }

// Phases of locking and of waiting at a barrier.
enum Phase : std::uint32_t { look = 0, take = 1, misused = 2 };
enum BarrierPhase : std::uint32_t {
  read_word = 0,
  arrive = 1,
  not_ready = 2,
  leave = 3,
  rendezvous = 4,  // and the three after it: the actions from `meet` on
};

}  // namespace

std::uint32_t Machine::Implementation::mutex_kind(Address address, std::uint64_t word) const {
  if (std::uint64_t initialised = word >> 8 & 0xff) return static_cast<std::uint32_t>(initialised - 1);
  Value value;
  if (!bytecode::is_global(address) || !initial_value(address + bytecode::mutex_kind_offset, 4, value))
    return bytecode::normal_mutex;
  return value.low == bytecode::recursive_mutex || value.low == bytecode::checking_mutex
             ? static_cast<std::uint32_t>(value.low)
             : std::uint32_t{bytecode::normal_mutex};
}

bool Machine::Implementation::perform_synchronization(ThreadState& state, Action& action,
                                                      const Instruction& instruction) {
  Address address = argument(state, instruction, 0);
  Access mutex{.address = address, .size = mutex_word_size};
  Access barrier{.address = address, .size = barrier_word_size};
  switch (static_cast<LibraryCall>(instruction.d)) {
    case LibraryCall::mutex_lock: return perform_lock(state, action, address, false);
    case LibraryCall::mutex_trylock: return perform_lock(state, action, address, true);
    case LibraryCall::mutex_unlock: return perform_unlock(state, action, address);
    case LibraryCall::mutex_init:
      mutex.kind = AccessKind::mutex_init;
      return write(state, action, mutex, {(1 + (argument(state, instruction, 1) & 3)) << 8, 0});
    case LibraryCall::mutex_destroy:
      if (state.private_->find_held(address))
        return error(state, action, ErrorKind::lock_misuse, "destroy of a mutex that this thread holds", address,
                     mutex_word_size);
      mutex.kind = AccessKind::mutex_destroy;
      return write(state, action, mutex, {mutex_destroyed, 0});
    case LibraryCall::barrier_init: {
      std::uint64_t count = argument(state, instruction, 1) & 0x7fffffff;
      if (count == 0)
        return error(state, action, ErrorKind::barrier_misuse, "barrier for zero threads", address, barrier_word_size);
      barrier.kind = AccessKind::barrier_init;
      return write(state, action, barrier, {barrier_ready | count << 32, 0});
    }
    case LibraryCall::barrier_wait: return perform_barrier_wait(state, action, address);
    case LibraryCall::barrier_destroy:
      barrier.kind = AccessKind::barrier_destroy;
      return write(state, action, barrier, {0, 0});
    case LibraryCall::add_between: return perform_add_between(state, action, instruction);
    default: HEDDLE_CHECK(false, "only these calls synchronise");
  }
  return false;
}

void Machine::Implementation::advance_synchronization(ThreadState& state, const Instruction& instruction,
                                                      Value answer) {
  Address address = argument(state, instruction, 0);
  switch (static_cast<LibraryCall>(instruction.d)) {
    case LibraryCall::mutex_lock: return advance_lock(state, address, false, answer.low);
    case LibraryCall::mutex_trylock: return advance_lock(state, address, true, answer.low);
    case LibraryCall::mutex_unlock: {
      PrivateState* own = own_private(state);
      HeldMutex* held = own->find_held(address);
      if (!held) {
        if (mutex_kind(address, answer.low) == bytecode::checking_mutex)
          return complete(state, instruction, bytecode::error_not_permitted);
        state.phase_ = misused;
        return;
      }
      *held = own->held.back();
      own->held.pop_back();
      return complete(state, instruction, 0);
    }
    case LibraryCall::barrier_wait: return advance_barrier_wait(state, answer.low);
    case LibraryCall::add_between: return advance_add_between(state, instruction, answer);
    default: return complete(state, instruction, 0);
  }
}

bool Machine::Implementation::perform_add_between(ThreadState& state, Action& action, const Instruction& instruction) {
  Access access{.address = argument(state, instruction, 0),
                .size = sizeof(std::uint32_t),
                .order = MemoryOrder::acquire,
                .kind = AccessKind::add_between,
                .exclusive = true};
  if (state.phase_ == take) {
    const std::uint64_t sum = state.scratch_.low + argument(state, instruction, 3);
    return write(state, action, access, truncate({sum, 0}, sizeof(std::uint32_t)));
  }
  if (!read(state, action, access)) return false;
  if (action.kind != ActionKind::read) return true;  // an error has its text in the same place
  action.low = static_cast<std::uint32_t>(argument(state, instruction, 1));
  action.high = static_cast<std::uint32_t>(argument(state, instruction, 2));
  action.failure_order = MemoryOrder::relaxed;
  return true;
}

void Machine::Implementation::advance_add_between(ThreadState& state, const Instruction& instruction, Value answer) {
  if (state.phase_ != take) {
    state.scratch_ = truncate(answer, sizeof(std::uint32_t));
    const std::uint64_t old = state.scratch_.low;
    if (old >= static_cast<std::uint32_t>(argument(state, instruction, 1)) &&
        old <= static_cast<std::uint32_t>(argument(state, instruction, 2))) {
      state.phase_ = take;
      return;
    }
  }
  complete(state, instruction, state.scratch_.low);
}

bool Machine::Implementation::perform_lock(ThreadState& state, Action& action, Address address, bool only_try) {
  Access access{.address = address,
                .size = mutex_word_size,
                .kind = only_try ? AccessKind::trylock : AccessKind::lock,
                .exclusive = true};
  if (state.phase_ == misused)
    return error(state, action, ErrorKind::lock_misuse, "lock of a mutex that was destroyed", address, mutex_word_size);
  if (state.phase_ == take) {
    access.order = MemoryOrder::relaxed;
    return write(state, action, access, {state.scratch_.low | 1, 0});
  }
  if (const HeldMutex* held = state.private_->find_held(address)) {
    const Instruction& instruction = instruction_of(state);
    if (held->kind == bytecode::recursive_mutex) {
      ++own_private(state)->find_held(address)->depth;
      complete(state, instruction, 0);
      return false;
    }
    if (held->kind == bytecode::checking_mutex) {
      complete(state, instruction, only_try ? bytecode::error_busy : bytecode::error_deadlock);
      return false;
    }
    if (!only_try && bytecode::is_private(address))  // nobody else could ever free it, nor will anybody see it
      return error(state, action, ErrorKind::deadlock, "the thread waits for a mutex that it holds itself", address,
                   mutex_word_size);
  }
  access.order = MemoryOrder::acquire;
  return read(state, action, access);
}

void Machine::Implementation::advance_lock(ThreadState& state, Address address, bool only_try, std::uint64_t word) {
  if (state.phase_ == take) {
    word = state.scratch_.low;
    own_private(state)->push_held({address, 1, mutex_kind(address, word), word});
    return complete(state, instruction_of(state), 0);
  }
  if (state.phase_ == misused) return;
  if (word & mutex_destroyed) {
    state.phase_ = misused;
    return;
  }
  if (word & mutex_held_mask) {
    HEDDLE_CHECK(only_try, "a thread that locks a mutex reads it only when it is free");
    return complete(state, instruction_of(state), bytecode::error_busy);
  }
  state.scratch_ = {word, 0};
  state.phase_ = take;
}

bool Machine::Implementation::perform_unlock(ThreadState& state, Action& action, Address address) {
  const HeldMutex* held = state.private_->find_held(address);
  if (state.phase_ == misused)
    return error(state, action, ErrorKind::lock_misuse, "unlock of a mutex that this thread does not hold", address,
                 mutex_word_size);
  if (!held)  // an error, unless the mutex is of the kind that returns an error number: look
    return read(state, action, {.address = address, .size = mutex_word_size, .order = MemoryOrder::relaxed});
  if (held->depth > 1) {
    --own_private(state)->find_held(address)->depth;
    complete(state, instruction_of(state), 0);
    return false;
  }
  return write(state, action,
               {.address = address, .size = mutex_word_size, .order = MemoryOrder::release, .kind = AccessKind::unlock},
               {held->word & ~mutex_held_mask, 0});
}

bool Machine::Implementation::wait_in_vain(const ThreadState& state, Action& action, Address barrier) {
  return error(state, action, ErrorKind::deadlock, "the thread waits at a barrier that no other thread can reach",
               barrier, barrier_word_size);
}

bool Machine::Implementation::perform_barrier_wait(ThreadState& state, Action& action, Address address) {
  Access access{.address = address,
                .size = barrier_word_size,
                .order = MemoryOrder::acquire_release,
                .kind = AccessKind::barrier_arrive,
                .exclusive = true};
  if (state.phase_ >= rendezvous) {
    if (bytecode::is_private(address)) return wait_in_vain(state, action, address);
    place(state, action, static_cast<ActionKind>(static_cast<unsigned>(ActionKind::meet) + state.phase_ - rendezvous));
    action.address = address;
    action.size = barrier_word_size;
    action.value.low = count_of(state.scratch_.low);
    return true;
  }
  switch (state.phase_) {
    case read_word:
      if (unordered_barriers_) {
        access.order = MemoryOrder::acquire;
        access.kind = AccessKind::barrier_look;
        access.exclusive = false;
      }
      return read(state, action, access);
    case not_ready:
      return error(state, action, ErrorKind::barrier_misuse, "wait on a barrier that is not initialised", address,
                   barrier_word_size);
    case arrive: return write(state, action, access, {state.scratch_.low + 1, 0});
    default: break;
  }
  if (bytecode::is_private(address)) return wait_in_vain(state, action, address);
  access.order = MemoryOrder::acquire;
  access.kind = AccessKind::barrier_leave;
  access.exclusive = false;
  std::uint64_t count = count_of(state.scratch_.low);
  if (!read(state, action, access)) return false;
  if (action.kind != ActionKind::read) return true;  // an error has its text in the same place
  action.await_mask = 0xffffffff;
  action.await_value = (arrivals_of(state.scratch_.low) / count + 1) * count;
  return true;
}

void Machine::Implementation::advance_barrier_wait(ThreadState& state, std::uint64_t word) {
  const Instruction& instruction = instruction_of(state);
  if (state.phase_ == read_word) {
    state.scratch_ = {word, 0};
    const bool ready = (word & barrier_ready) != 0 && count_of(word) != 0;
    state.phase_ = !ready ? not_ready : unordered_barriers_ ? rendezvous : arrive;
  } else if (state.phase_ >= rendezvous) {
    if (state.phase_ == rendezvous + 3) return complete(state, instruction, 0);
    ++state.phase_;
  } else if (state.phase_ == arrive) {
    std::uint64_t arrivals = arrivals_of(state.scratch_.low) + 1;
    if (arrivals % count_of(state.scratch_.low) == 0) return complete(state, instruction, barrier_serial_thread);
    state.phase_ = leave;
  } else if (state.phase_ == leave) {
    complete(state, instruction, 0);
  }
}

}  // namespace heddle::machine
