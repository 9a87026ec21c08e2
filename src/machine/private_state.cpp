#include "machine/private_state.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace heddle::machine {

using bytecode::Address;

namespace {

std::uint64_t round_up(std::uint64_t value, std::uint64_t alignment) {
  return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

}  // namespace

PrivateState* PrivateState::make(Pool& pool, std::uint32_t thread, bool c11_thread, const bytecode::Program& program) {
  auto* state = new (pool.allocate(sizeof(PrivateState))) PrivateState;
  state->references = 1;
  state->thread = thread;
  state->c11_thread = c11_thread;
  state->pool_ = &pool;
  // A gap comes first too, so that running over an object downwards leads to no other range.
  state->shared_bump = program.shared_thread_local_bytes + bytecode::object_gap;
  state->next_address_ = bytecode::privates_begin + bytecode::object_gap;
  if (program.private_thread_local_bytes == 0) return state;

  std::vector<const bytecode::ThreadLocal*> sorted;
  for (const auto& local : program.thread_locals)
    if (!local.shared) sorted.push_back(&local);
  std::sort(sorted.begin(), sorted.end(), [](auto* x, auto* y) { return x->offset < y->offset; });
  auto bytes = static_cast<std::uint32_t>(program.private_thread_local_bytes);
  state->storage_.grow(pool, bytes);
  state->initialised_.grow(pool, (bytes + 63) / 64);
  for (const auto* local : sorted) {
    auto offset = static_cast<std::uint32_t>(local->offset);
    state->objects_.push_back(pool, {bytecode::privates_begin + offset, local->size, offset});
    std::copy(local->bytes.begin(), local->bytes.end(), state->storage_.begin() + offset);
    state->mark_initialised(offset, local->size);
  }
  state->next_address_ += round_up(bytes, 64);
  return state;
}

PrivateState* PrivateState::clone() const {
  auto* copy = new (pool_->allocate(sizeof(PrivateState))) PrivateState;
  copy->references = 1;
  copy->thread = thread;
  copy->c11_thread = c11_thread;
  copy->shared_bump = shared_bump;
  copy->held.copy_from(*pool_, held);
  copy->shared_objects.copy_from(*pool_, shared_objects);
  copy->pool_ = pool_;
  copy->next_address_ = next_address_;
  copy->objects_.copy_from(*pool_, objects_);
  copy->storage_.copy_from(*pool_, storage_);
  copy->initialised_.copy_from(*pool_, initialised_);
  return copy;
}

void PrivateState::destroy() noexcept {
  held.free_storage(*pool_);
  shared_objects.free_storage(*pool_);
  objects_.free_storage(*pool_);
  storage_.free_storage(*pool_);
  initialised_.free_storage(*pool_);
  pool_->release(this, sizeof(PrivateState));
}

Address PrivateState::add_object(std::uint64_t size, std::uint64_t alignment) {
  Address address = round_up(next_address_, alignment);
  next_address_ = address + size + bytecode::object_gap;
  std::uint32_t offset = storage_.size();
  objects_.push_back(*pool_, {address, size, offset});
  auto end = static_cast<std::uint32_t>(offset + round_up(size, 8));
  storage_.grow(*pool_, end);
  std::uint32_t words = (end + 63) / 64;
  if (words > initialised_.size()) initialised_.grow(*pool_, words);
  return address;
}

void PrivateState::remove_objects(std::uint32_t count) {
  if (count >= objects_.size()) return;
  std::uint32_t end = objects_[count].offset;
  objects_.shrink(count);
  storage_.shrink(end);
  // Bits beyond the storage stay zero, so that the next object starts uninitialised.
  initialised_.shrink((end + 63) / 64);
  if (end % 64 != 0) initialised_[end / 64] &= (std::uint64_t{1} << (end % 64)) - 1;
}

const PrivateObject* PrivateState::find(Address address, std::uint64_t size) const {
  const PrivateObject* after =
      std::upper_bound(objects_.begin(), objects_.end(), address,
                       [](Address a, const PrivateObject& object) { return a < object.address; });
  if (after == objects_.begin()) return nullptr;
  const PrivateObject* object = after - 1;
  std::uint64_t offset = address - object->address;
  return offset < object->size && size <= object->size - offset ? object : nullptr;
}

bytecode::ErrorKind PrivateState::why_not(Address address) const {
  // Addresses are never reused: one that was handed out and is not near a live object belonged to one now dead.
  // Every dead object is at least the gap away from every live one.
  constexpr Address gap = bytecode::object_gap;
  if (address >= next_address_ || address < bytecode::privates_begin + gap) return bytecode::ErrorKind::out_of_bounds;
  for (const PrivateObject& object : objects_)
    if (address >= object.address - gap && address < object.address + object.size + gap)
      return bytecode::ErrorKind::out_of_bounds;
  return bytecode::ErrorKind::use_after_free;
}

bool PrivateState::same_contents(const PrivateState& other) const {
  if (this == &other) return true;
  const auto same = [](const auto& a, const auto& b, auto&& equal) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
  };
  return same(objects_, other.objects_,
              [](const PrivateObject& a, const PrivateObject& b) {
                return a.address == b.address && a.size == b.size && a.offset == b.offset;
              }) &&
         same(storage_, other.storage_, std::equal_to<>()) &&
         same(initialised_, other.initialised_, std::equal_to<>()) &&
         same(shared_objects, other.shared_objects, std::equal_to<>()) &&
         same(held, other.held, [](const HeldMutex& a, const HeldMutex& b) {
           return a.address == b.address && a.depth == b.depth && a.kind == b.kind && a.word == b.word;
         });
}

bool PrivateState::initialised(const PrivateObject& object, Address address, std::uint64_t size) const {
  std::uint64_t begin = object.offset + (address - object.address);
  std::uint64_t end = begin + size;
  for (std::uint64_t bit = begin; bit < end;) {
    std::uint64_t count = std::min<std::uint64_t>(64 - bit % 64, end - bit);
    std::uint64_t mask = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << (bit % 64);
    if ((initialised_[bit / 64] & mask) != mask) return false;
    bit += count;
  }
  return true;
}

void PrivateState::mark_initialised(std::uint64_t begin, std::uint64_t size) {
  std::uint64_t end = begin + size;
  for (std::uint64_t bit = begin; bit < end;) {
    std::uint64_t count = std::min<std::uint64_t>(64 - bit % 64, end - bit);
    std::uint64_t mask = (count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << (bit % 64);
    initialised_[bit / 64] |= mask;
    bit += count;
  }
}

Value PrivateState::load(const PrivateObject& object, Address address, unsigned size) const {
  Value value;
  std::memcpy(&value, bytes(object, address), size);
  return value;
}

void PrivateState::store(const PrivateObject& object, Address address, unsigned size, Value value) {
  std::uint64_t begin = object.offset + (address - object.address);
  std::memcpy(storage_.begin() + begin, &value, size);
  mark_initialised(begin, size);
}

void PrivateState::fill(const PrivateObject& object, Address address, std::uint64_t size, std::uint8_t byte) {
  std::uint64_t begin = object.offset + (address - object.address);
  std::memset(storage_.begin() + begin, byte, size);
  mark_initialised(begin, size);
}

void PrivateState::copy(const PrivateObject& to, Address to_address, const PrivateObject& from, Address from_address,
                        std::uint64_t size) {
  std::uint64_t target = to.offset + (to_address - to.address);
  std::uint64_t source = from.offset + (from_address - from.address);
  std::memmove(storage_.begin() + target, storage_.begin() + source, size);
  auto copy_bit = [&](std::uint64_t i) {
    std::uint64_t bit = initialised_[(source + i) / 64] >> ((source + i) % 64) & 1;
    std::uint64_t& word = initialised_[(target + i) / 64];
    word = (word & ~(std::uint64_t{1} << ((target + i) % 64))) | bit << ((target + i) % 64);
  };
  if (target <= source)
    for (std::uint64_t i = 0; i < size; ++i) copy_bit(i);
  else
    for (std::uint64_t i = size; i-- > 0;) copy_bit(i);
}

}  // namespace heddle::machine
