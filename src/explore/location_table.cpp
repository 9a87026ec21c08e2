// See the header.
#include "explore/location_table.h"

namespace heddle::explore {

LocationTable::LocationTable() : entries_(256), mask_(255) {}

void LocationTable::insert(std::uint64_t key, graph::LocationId location) {
  std::size_t slot = (key * 0x9e3779b97f4a7c15u >> 32) & mask_;
  while (entries_[slot].location != graph::no_location) slot = (slot + 1) & mask_;
  entries_[slot] = {key, location};
}

void LocationTable::add(bytecode::Address address, unsigned size, graph::LocationId location) {
  if (++used_ * 2 > entries_.size()) {
    std::vector<Entry> old(entries_.size() * 2);
    old.swap(entries_);
    mask_ = entries_.size() - 1;
    for (const Entry& entry : old)
      if (entry.location != graph::no_location) insert(entry.key, entry.location);
  }
  insert(key(address, size), location);

  overlaps_.resize(location + 1);
  // An access has at most 16 bytes, so whatever overlaps starts less than 16 bytes before this one or inside it.
  const bytecode::Address first = address < 15 ? 0 : address - 15;
  for (auto it = ordered_.lower_bound({first, 0}); it != ordered_.end() && it->first.first < address + size; ++it) {
    if (it->first.first + it->first.second <= address) continue;
    overlaps_[location].push_back(it->second);
    overlaps_[it->second].push_back(location);
  }
  ordered_[{address, size}] = location;
}

}  // namespace heddle::explore
