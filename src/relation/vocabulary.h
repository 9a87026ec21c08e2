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
    {"po", Primitive::po},         {"po-imm", Primitive::po_imm}, {"po-loc", Primitive::po_loc},
    {"rf", Primitive::rf},         {"rfe", Primitive::rfe},       {"rfi", Primitive::rfi},
    {"co", Primitive::co},         {"co-imm", Primitive::co_imm}, {"coe", Primitive::coe},
    {"coi", Primitive::coi},       {"mo", Primitive::co},         {"mo-imm", Primitive::co_imm},
    {"moe", Primitive::coe},       {"moi", Primitive::coi},       {"fr", Primitive::fr},
    {"fr-imm", Primitive::fr_imm}, {"fre", Primitive::fre},       {"fri", Primitive::fri},
    {"rb", Primitive::fr},         {"rb-imm", Primitive::fr_imm}, {"rbe", Primitive::fre},
    {"rbi", Primitive::fri},       {"rmw", Primitive::rmw},       {"tc", Primitive::tc},
    {"tj", Primitive::tj},         {"loc", Primitive::loc},       {"loc-overlap", Primitive::loc},
    {"int", Primitive::internal},  {"ext", Primitive::external},  {"addr", Primitive::addr},
    {"data", Primitive::data},     {"ctrl", Primitive::ctrl},
};

struct FunctionName {
  std::string_view name;
  ExpressionKind kind;
  unsigned arguments;
};

inline constexpr FunctionName function_names[] = {
    {"dom", ExpressionKind::domain, 1},          {"rng", ExpressionKind::range, 1},
    {"sameEnds", ExpressionKind::same_ends, 1},  {"rot", ExpressionKind::rotation, 1},
    {"dedup", ExpressionKind::deduplication, 1}, {"tot", ExpressionKind::totality, 2},
};

// The built-in relations that are made from others: who declares `rf` anew can no longer mean anything by `rfe`.
inline constexpr std::pair<std::string_view, std::string_view> derived_names[] = {
    {"po", "po-imm"}, {"po", "po-loc"}, {"rf", "rfe"}, {"rf", "rfi"}, {"co", "co-imm"}, {"co", "coe"}, {"co", "coi"},
    {"mo", "mo-imm"}, {"mo", "moe"},    {"mo", "moi"}, {"rf", "fr"},  {"co", "fr"},     {"mo", "fr"},  {"rf", "rb"},
    {"co", "rb"},     {"mo", "rb"},     {"fr", "fri"}, {"fr", "fre"}, {"fr", "fr-imm"}, {"rb", "rbi"}, {"rb", "rbe"},
    {"rb", "rb-imm"}, {"co", "mo"},     {"mo", "co"},  {"fr", "rb"},  {"rb", "fr"},
};

// The bit of a set name; the name must be in the table.
constexpr unsigned bit_of(std::string_view name) {
  for (const SetName& entry : set_names) {
    if (entry.name == name) return entry.bit;
  }
  return 64;
}

inline const FunctionName* find_function(std::string_view name) {
  for (const FunctionName& entry : function_names) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

}  // namespace heddle::relation
