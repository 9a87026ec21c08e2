// What a thread has beside its frames: the memory only it can reach, the mutexes it holds, and where its next shared
// object goes. Shared by all states of the thread that agree on it; copied before it is written.
//
// A private object has an address that is never reused (so that a dangling pointer is always recognised) and bytes in
// a stack-like storage that is reused as soon as its function returns. Objects are sorted by address and by offset.
// Tested in thread_state_test.cpp.
#pragma once

#include <cstdint>
#include <optional>

#include "base/value.h"
#include "bytecode/address_space.h"
#include "bytecode/program.h"
#include "bytecode/vocabulary.h"
#include "machine/pool.h"

namespace heddle::machine {

struct PrivateObject {
  bytecode::Address address;
  std::uint64_t size;
  std::uint32_t offset;   // of its bytes in the storage
};

struct HeldMutex {
  bytecode::Address address;
  std::uint32_t depth;
  std::uint32_t kind;     // 0 normal, 1 recursive, 2 error-checking
  std::uint64_t word;     // the mutex word as it was when free
};

class PrivateState {
 public:
  static PrivateState* make(Pool& pool, std::uint32_t thread, bool c11_thread, const bytecode::Program& program);
  PrivateState* clone() const;
  static void release(PrivateState* state) noexcept {
    if (state && --state->references == 0) state->destroy();
  }

  std::uint32_t references;
  std::uint32_t thread;
  bool c11_thread;
  std::uint64_t shared_bump;           // offset from shared_base(thread) where the next shared object may start
  PoolArray<HeldMutex> held;
  PoolArray<bytecode::Address> shared_objects;  // stack objects, oldest first

  void push_shared_object(bytecode::Address address) { shared_objects.push_back(*pool_, address); }
  void push_held(const HeldMutex& mutex) { held.push_back(*pool_, mutex); }
  HeldMutex* find_held(bytecode::Address address) {
    for (HeldMutex& mutex : held)
      if (mutex.address == address) return &mutex;
    return nullptr;
  }

  std::uint32_t object_count() const { return objects_.size(); }
  std::uint64_t storage_used() const { return storage_.size(); }

  // The address of a new object of uninitialised bytes.
  bytecode::Address add_object(std::uint64_t size, std::uint64_t alignment);
  // Objects beyond the first `count` die.
  void remove_objects(std::uint32_t count);

  // The object that has all bytes [address, address + size), or none: then `why_not` says what is wrong.
  const PrivateObject* find(bytecode::Address address, std::uint64_t size) const;
  bytecode::ErrorKind why_not(bytecode::Address address) const;

  // The same objects with the same bytes, and the same mutexes held. Where new objects would go does not matter: no
  // address of an object that does not exist yet can be known to anybody.
  bool same_contents(const PrivateState& other) const;

  // Access to bytes that `find` said are there; at most 16 for values.
  bool initialised(const PrivateObject& object, bytecode::Address address, std::uint64_t size) const;
  Value load(const PrivateObject& object, bytecode::Address address, unsigned size) const;
  void store(const PrivateObject& object, bytecode::Address address, unsigned size, Value value);
  void fill(const PrivateObject& object, bytecode::Address address, std::uint64_t size, std::uint8_t byte);
  // Copies bytes together with whether they are initialised; the ranges may overlap.
  void copy(const PrivateObject& to, bytecode::Address to_address, const PrivateObject& from,
            bytecode::Address from_address, std::uint64_t size);
  const std::uint8_t* bytes(const PrivateObject& object, bytecode::Address address) const {
    return storage_.begin() + object.offset + (address - object.address);
  }

 private:
  void destroy() noexcept;
  void mark_initialised(std::uint64_t begin, std::uint64_t size);

  Pool* pool_;
  bytecode::Address next_address_;     // of private objects
  PoolArray<PrivateObject> objects_;
  PoolArray<std::uint8_t> storage_;
  PoolArray<std::uint64_t> initialised_;  // one bit a byte of storage
};

}  // namespace heddle::machine
