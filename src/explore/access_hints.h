// How big the program's own accesses are at an address, learnt while exploring. memcpy and memset have no idea of the
// fields they move; when their guess overlaps an access of another size, the field's size is noted here and the
// exploration starts again. Grows only, so that ends.
#pragma once

#include <cstdint>
#include <map>

#include "bytecode/address_space.h"

namespace heddle::explore {

class AccessHints {
 public:
  // False if this was known already: then starting again would not help.
  bool learn(bytecode::Address address, unsigned size) { return sizes_.insert({address, size}).second; }

  // The size to use at an address: what was learnt, or no more than up to the next one learnt; 0: anything.
  unsigned size_at(bytecode::Address address) const {
    auto next = sizes_.lower_bound(address);
    if (next == sizes_.end()) return 0;
    if (next->first == address) return next->second;
    const bytecode::Address distance = next->first - address;
    return distance >= 8 ? 0 : distance >= 4 ? 4 : distance >= 2 ? 2 : 1;
  }

 private:
  std::map<bytecode::Address, unsigned> sizes_;
};

}  // namespace heddle::explore
