// How big the program's own accesses are at an address, learnt while exploring. memcpy and memset have no idea of the
// fields they move; when their guess overlaps an access of another size, the field's size is noted here and the
// exploration starts again. Grows only, so that ends. Other things that are learnt in this way are here, too.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include "base/value.h"
#include "bytecode/address_space.h"

namespace heddle::explore {

// A value that is there for a moment, and what would be there without the iteration that is to be left out.
struct PassingValue {
  Value value, without;

  friend bool operator==(const PassingValue&, const PassingValue&) = default;
};

class AccessHints {
 public:
  // What loops have written for a moment and then undone, by address: see undone.cpp. False if it was known already.
  bool learn_passing(bytecode::Address address, PassingValue value) {
    std::vector<PassingValue>& values = passing_[address];
    if (std::find(values.begin(), values.end(), value) != values.end()) return false;
    values.push_back(value);
    return true;
  }
  bool watches_readers() const { return !passing_.empty(); }
  void forget_passing() { passing_.clear(); }
  const std::vector<PassingValue>* passing_values(bytecode::Address address) const {
    const auto known = passing_.find(address);
    return known == passing_.end() ? nullptr : &known->second;
  }

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
  std::map<bytecode::Address, std::vector<PassingValue>> passing_;
};

}  // namespace heddle::explore
