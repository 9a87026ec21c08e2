// Memory for the many small, short-lived blocks that make up thread states: one free list a size class, so that
// cloning a frame costs a pop and a copy. One pool a machine, used by one operating-system thread only.
//
// Thread states may outlive their machine: a retired pool deletes itself when its last block comes back.
// Tested in thread_state_test.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <vector>

namespace heddle::machine {

class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* allocate(std::size_t bytes) {
    ++live_blocks_;
    live_bytes_ += bytes;
    std::size_t size_class = (bytes + granule - 1) / granule;
    if (size_class >= class_count) return ::operator new(bytes);
    if (FreeBlock* block = free_[size_class]) {
      free_[size_class] = block->next;
      return block;
    }
    return carve(size_class);
  }

  // `bytes` as at allocation.
  void release(void* memory, std::size_t bytes) noexcept {
    std::size_t size_class = (bytes + granule - 1) / granule;
    if (size_class >= class_count) {
      ::operator delete(memory);
    } else {
      auto* block = static_cast<FreeBlock*>(memory);
      block->next = free_[size_class];
      free_[size_class] = block;
    }
    live_bytes_ -= bytes;
    if (--live_blocks_ == 0 && retired_) destroy();
  }

  // The owner's last call: nothing is allocated any more, and the pool goes when its last block does.
  void retire() noexcept {
    retired_ = true;
    if (live_blocks_ == 0) destroy();
  }

  std::size_t live_blocks() const { return live_blocks_; }
  std::size_t live_bytes() const { return live_bytes_; }

 private:
  struct FreeBlock {
    FreeBlock* next;
  };
  static constexpr std::size_t granule = 32;
  static constexpr std::size_t class_count = 129;  // blocks of up to 4 KiB; larger ones are rare
  static constexpr std::size_t slab_bytes = 64 * 1024;

  ~Pool() {
    for (void* slab : slabs_) ::operator delete(slab);
  }

  [[gnu::noinline]] void destroy() noexcept { delete this; }

  [[gnu::noinline]] void* carve(std::size_t size_class) {
    std::size_t bytes = size_class == 0 ? granule : size_class * granule;
    if (slab_left_ < bytes) {
      slabs_.push_back(::operator new(slab_bytes));
      slab_next_ = static_cast<std::byte*>(slabs_.back());
      slab_left_ = slab_bytes;
    }
    void* block = slab_next_;
    slab_next_ += bytes;
    slab_left_ -= bytes;
    return block;
  }

  FreeBlock* free_[class_count] = {};
  std::size_t live_blocks_ = 0;
  std::size_t live_bytes_ = 0;
  bool retired_ = false;
  std::byte* slab_next_ = nullptr;
  std::size_t slab_left_ = 0;
  std::vector<void*> slabs_;
};

// A growable array of plain values with its storage in a pool. Its owner passes the pool in, copies and clears it.
template <class T>
class PoolArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& operator[](std::size_t index) { return data_[index]; }
  const T& operator[](std::size_t index) const { return data_[index]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }
  void pop_back() { --size_; }
  void shrink(std::uint32_t size) { size_ = size; }

  void push_back(Pool& pool, const T& value) {
    if (size_ == capacity_) reserve(pool, size_ + 1);
    data_[size_++] = value;
  }

  // New elements are all zero bytes.
  void grow(Pool& pool, std::uint32_t size) {
    if (size <= size_) return;
    if (size > capacity_) reserve(pool, size);
    std::memset(static_cast<void*>(data_ + size_), 0, (size - size_) * sizeof(T));
    size_ = size;
  }

  void copy_from(Pool& pool, const PoolArray& other) {  // into an array never used before
    data_ = nullptr;
    size_ = capacity_ = other.size_;
    if (size_ == 0) return;
    data_ = static_cast<T*>(pool.allocate(size_ * sizeof(T)));
    std::memcpy(static_cast<void*>(data_), other.data_, size_ * sizeof(T));
  }

  void free_storage(Pool& pool) noexcept {
    if (data_) pool.release(data_, capacity_ * sizeof(T));
    data_ = nullptr;
    size_ = capacity_ = 0;
  }

 private:
  void reserve(Pool& pool, std::uint32_t needed) {
    std::uint32_t capacity = capacity_ * 2 < needed ? needed : capacity_ * 2;
    if (capacity < 4) capacity = 4;
    T* data = static_cast<T*>(pool.allocate(capacity * sizeof(T)));
    if (data_) {
      std::memcpy(static_cast<void*>(data), data_, size_ * sizeof(T));
      pool.release(data_, capacity_ * sizeof(T));
    }
    data_ = data;
    capacity_ = capacity;
  }

  T* data_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 0;
};

}  // namespace heddle::machine
