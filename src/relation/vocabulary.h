// The names the model language knows from the start: event sets and primitive relations.
// Set names stand for the label bits of an event; the bit numbers are those of graph/labels.h (consistency checks
// this when it is compiled, because this folder must not see the graph).
#pragma once

#include <span>
#include <string_view>

#include "relation/expression.h"

namespace heddle::relation {

struct SetName {
  std::string_view name;
  unsigned bit;
};

struct RelationName {
  std::string_view name;
  Primitive primitive;
};

inline constexpr SetName set_names[] = {
    {"R", 0},   {"W", 1},      {"F", 2},     {"NA", 3},  {"RLX", 4}, {"ACQ", 5}, {"REL", 6}, {"SC", 7},
    {"UR", 8},  {"UW", 9},     {"TC", 10},   {"TB", 11}, {"TE", 12}, {"TJ", 13}, {"LR", 14}, {"LW", 15},
    {"UL", 16}, {"ALLOC", 17}, {"FREE", 18}, {"IW", 19}, {"AT", 20}, {"RX", 21},
};

inline constexpr RelationName relation_names[] = {
    {"po", Primitive::po},         {"po-imm", Primitive::po_imm},   {"po-loc", Primitive::po_loc},
    {"rf", Primitive::rf},         {"rfe", Primitive::rfe},         {"rfi", Primitive::rfi},
    {"co", Primitive::co},         {"mo", Primitive::co},           {"co-imm", Primitive::co_imm},
    {"mo-imm", Primitive::co_imm}, {"coe", Primitive::coe},         {"coi", Primitive::coi},
    {"moe", Primitive::coe},       {"moi", Primitive::coi},         {"fr", Primitive::fr},
    {"fr-imm", Primitive::fr_imm}, {"fre", Primitive::fre},         {"fri", Primitive::fri},
    {"rmw", Primitive::rmw},       {"tc", Primitive::tc},           {"tj", Primitive::tj},
    {"loc", Primitive::loc},       {"loc-overlap", Primitive::loc},
};

// The bit of a set name; the name must be in the table.
constexpr unsigned bit_of(std::string_view name) {
  for (const SetName& entry : set_names) {
    if (entry.name == name) return entry.bit;
  }
  return 64;
}

}  // namespace heddle::relation
