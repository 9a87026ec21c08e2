// The C11 memory orders, ordered by strength where they are comparable.
#pragma once

#include <cstdint>

namespace heddle {

enum class MemoryOrder : std::uint8_t { plain, relaxed, acquire, release, acquire_release, seq_cst };

inline bool acquires(MemoryOrder order) {
  return order == MemoryOrder::acquire || order >= MemoryOrder::acquire_release;
}
inline bool releases(MemoryOrder order) { return order >= MemoryOrder::release; }

inline const char* name_of(MemoryOrder order) {
  switch (order) {
    case MemoryOrder::plain: return "plain";
    case MemoryOrder::relaxed: return "relaxed";
    case MemoryOrder::acquire: return "acquire";
    case MemoryOrder::release: return "release";
    case MemoryOrder::acquire_release: return "acq_rel";
    case MemoryOrder::seq_cst: return "seq_cst";
  }
  return "?";
}

}  // namespace heddle
