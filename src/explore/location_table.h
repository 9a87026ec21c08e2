// From an address and a size to the graph's location. Locations are made on first use and stay.
//
// Word mode: two live accesses may not overlap unless they have the same footprint. The table knows which locations
// overlap; the search asks `overlapping` and refuses mixed-size accesses that are live at the same time.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "bytecode/address_space.h"
#include "graph/event.h"

namespace heddle::explore {

class LocationTable {
 public:
  LocationTable();

  // no_location if there is none yet.
  graph::LocationId find(bytecode::Address address, unsigned size) const {
    for (std::size_t slot = hash(address, size);; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      if (entry.key == key(address, size)) return entry.location;
      if (entry.location == graph::no_location) return graph::no_location;
    }
  }
  void add(bytecode::Address address, unsigned size, graph::LocationId location);

  // Other locations whose bytes overlap this one's.
  const std::vector<graph::LocationId>& overlapping(graph::LocationId location) const { return overlaps_[location]; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    graph::LocationId location = graph::no_location;
  };
  // Addresses are below 2^47 and sizes at most 16, so both fit.
  static std::uint64_t key(bytecode::Address address, unsigned size) { return address << 5 | size; }
  std::size_t hash(bytecode::Address address, unsigned size) const {
    return (key(address, size) * 0x9e3779b97f4a7c15u >> 32) & mask_;
  }
  void insert(std::uint64_t key, graph::LocationId location);

  std::vector<Entry> entries_;
  std::size_t mask_;
  std::size_t used_ = 0;
  std::map<std::pair<bytecode::Address, unsigned>, graph::LocationId> ordered_;
  std::vector<std::vector<graph::LocationId>> overlaps_;
};

}  // namespace heddle::explore
