// The memory that only its own thread can reach, byte by byte with whether each was ever written. Addresses follow
// bytecode/conventions.h. Tested in thread_run_test.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "base/value.h"
#include "bytecode/program.h"
#include "bytecode/vocabulary.h"

namespace heddle::validate {

class PrivateMemory {
 public:
  explicit PrivateMemory(const bytecode::Program& program);

  bytecode::Address add(std::uint64_t size, std::uint64_t alignment);
  std::size_t object_count() const { return objects_.size(); }
  void keep_oldest(std::size_t count);
  bool has_room_for(std::uint64_t size) const;

  // Do all these bytes lie in one live object? If not, `error_at` tells which error it is to use them.
  bool contains(bytecode::Address address, std::uint64_t size) const { return find(address, size) != nullptr; }
  bytecode::ErrorKind error_at(bytecode::Address address) const;

  // Of bytes that are there.
  std::uint8_t byte(bytecode::Address address) const;
  bool written(bytecode::Address address, std::uint64_t size) const;
  void set(bytecode::Address address, std::uint8_t byte, bool written = true);
  Value load(bytecode::Address address, unsigned size) const;
  void store(bytecode::Address address, unsigned size, Value value);

  // The same objects with the same bytes. Where the next one would go does not matter.
  friend bool operator==(const PrivateMemory& a, const PrivateMemory& b) { return a.objects_ == b.objects_; }

 private:
  struct Object {
    bytecode::Address address = 0;
    std::vector<std::uint8_t> bytes;
    std::vector<bool> written;
    std::uint64_t budget = 0;  // how much of the thread's private memory it takes

    friend bool operator==(const Object&, const Object&) = default;
  };
  const Object* find(bytecode::Address address, std::uint64_t size) const;

  std::vector<Object> objects_;  // alive, by address
  bytecode::Address mark_ = 0;
  std::uint64_t used_ = 0;
};

}  // namespace heddle::validate
