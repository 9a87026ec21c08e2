// A value that a memory access moves: up to 16 bytes, little endian, unused high bytes zero.
#pragma once

#include <cstdint>

namespace heddle {

struct Value {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

// As numbers of 128 bits, which wrap around.
inline Value operator+(Value a, Value b) {
  const std::uint64_t low = a.low + b.low;
  return {low, a.high + b.high + (low < a.low ? 1 : 0)};
}
inline Value operator-(Value a, Value b) { return {a.low - b.low, a.high - b.high - (a.low < b.low ? 1 : 0)}; }

// The value cut to its first `size` bytes (1..16), so that equal memory compares equal.
inline Value truncate(Value value, unsigned size) {
  if (size >= 16) return value;
  if (size > 8) return {value.low, value.high & ((std::uint64_t{1} << (8 * (size - 8))) - 1)};
  if (size == 8) return {value.low, 0};
  return {value.low & ((std::uint64_t{1} << (8 * size)) - 1), 0};
}

}  // namespace heddle
