// See private_memory.h.
#include "validate/private_memory.h"

#include <algorithm>

#include "base/check.h"
#include "bytecode/conventions.h"

namespace heddle::validate {

using bytecode::Address;

namespace {

std::uint64_t rounded_up(std::uint64_t value, std::uint64_t unit) {
  return value % unit == 0 ? value : value + (unit - value % unit);
}

}  // namespace

PrivateMemory::PrivateMemory(const bytecode::Program& program) {
  const std::uint64_t bytes = program.private_thread_local_bytes;
  mark_ = bytecode::privates_begin + bytecode::object_gap + rounded_up(bytes, 64);
  used_ = bytes;
  for (const bytecode::ThreadLocal& local : program.thread_locals) {
    if (local.shared) continue;
    objects_.push_back({bytecode::privates_begin + local.offset, local.bytes, std::vector<bool>(local.size, true), 0});
  }
  std::sort(objects_.begin(), objects_.end(), [](auto& x, auto& y) { return x.address < y.address; });
}

Address PrivateMemory::add(std::uint64_t size, std::uint64_t alignment) {
  const Address address = rounded_up(mark_, alignment);
  mark_ = address + size + bytecode::object_gap;
  const std::uint64_t budget = rounded_up(size, 8);
  used_ += budget;
  objects_.push_back({address, std::vector<std::uint8_t>(size), std::vector<bool>(size), budget});
  return address;
}

void PrivateMemory::keep_oldest(std::size_t count) {
  while (objects_.size() > count) {
    used_ -= objects_.back().budget;
    objects_.pop_back();
  }
}

bool PrivateMemory::has_room_for(std::uint64_t size) const {
  constexpr std::uint64_t limit = bytecode::private_bytes_per_thread;
  return used_ < limit && size <= limit - used_;
}

const PrivateMemory::Object* PrivateMemory::find(Address address, std::uint64_t size) const {
  auto after = std::upper_bound(objects_.begin(), objects_.end(), address,
                                [](Address a, const Object& object) { return a < object.address; });
  if (after == objects_.begin()) return nullptr;
  const Object& object = *std::prev(after);
  const std::uint64_t offset = address - object.address;
  return offset < object.bytes.size() && size <= object.bytes.size() - offset ? &object : nullptr;
}

bytecode::ErrorKind PrivateMemory::error_at(Address address) const {
  constexpr Address gap = bytecode::object_gap;
  bool near = address < bytecode::privates_begin + gap || address >= mark_;
  for (const Object& object : objects_)
    near = near || (address + gap >= object.address && address < object.address + object.bytes.size() + gap);
  return near ? bytecode::ErrorKind::out_of_bounds : bytecode::ErrorKind::use_after_free;
}

std::uint8_t PrivateMemory::byte(Address address) const {
  const Object* object = find(address, 1);
  HEDDLE_CHECK(object != nullptr, "only bytes of live objects are read");
  return object->bytes[address - object->address];
}

bool PrivateMemory::written(Address address, std::uint64_t size) const {
  const Object* object = find(address, size);
  HEDDLE_CHECK(object != nullptr, "only bytes of live objects are asked about");
  for (std::uint64_t i = 0; i < size; ++i)
    if (!object->written[address - object->address + i]) return false;
  return true;
}

void PrivateMemory::set(Address address, std::uint8_t byte, bool written) {
  auto* object = const_cast<Object*>(find(address, 1));
  HEDDLE_CHECK(object != nullptr, "only bytes of live objects are written");
  object->bytes[address - object->address] = byte;
  object->written[address - object->address] = written;
}

Value PrivateMemory::load(Address address, unsigned size) const {
  Value value;
  for (unsigned i = 0; i < size; ++i)
    (i < 8 ? value.low : value.high) |= std::uint64_t{byte(address + i)} << (8 * (i % 8));
  return value;
}

void PrivateMemory::store(Address address, unsigned size, Value value) {
  for (unsigned i = 0; i < size; ++i)
    set(address + i, static_cast<std::uint8_t>((i < 8 ? value.low : value.high) >> (8 * (i % 8))));
}

}  // namespace heddle::validate
