// See guard.h. Lists are kept small by dropping guards that another one covers. Tested in nfa_test.cpp.
#include "automata/guard.h"

#include <algorithm>

#include "relation/vocabulary.h"

namespace heddle::automata {
namespace {

constexpr std::uint64_t bit(std::string_view name) { return std::uint64_t{1} << relation::bit_of(name); }

// An event has at most one of these.
constexpr std::uint64_t kinds = bit("R") | bit("W") | bit("F") | bit("TC") | bit("TB") | bit("TE") | bit("TJ");

struct Implication {
  std::uint64_t label, kind;
};
constexpr Implication implications[] = {
    {bit("UR"), bit("R")}, {bit("RX"), bit("R")}, {bit("LR"), bit("R")}, {bit("UW"), bit("W")},
    {bit("LW"), bit("W")}, {bit("UL"), bit("W")}, {bit("IW"), bit("W")},
};

}  // namespace

bool normalize(Guard& guard) {
  for (const Implication& rule : implications) {
    if ((guard.value & rule.label) == 0) continue;
    if ((guard.mask & rule.kind) != 0 && (guard.value & rule.kind) == 0) return false;
    guard.mask |= rule.kind;
    guard.value |= rule.kind;
  }
  const std::uint64_t kind = guard.value & kinds;
  if ((kind & (kind - 1)) != 0) return false;
  if (kind != 0) guard.mask |= kinds;
  for (const Implication& rule : implications) {
    if ((guard.mask & rule.kind) != 0 && (guard.value & rule.kind) == 0) guard.mask |= rule.label;
  }
  return true;
}

Guards disjunction(Guards left, const Guards& right) {
  for (const Guard& guard : right) {
    if (std::any_of(left.begin(), left.end(), [&](const Guard& other) { return implies(guard, other); })) continue;
    std::erase_if(left, [&](const Guard& other) { return implies(other, guard); });
    left.push_back(guard);
  }
  return left;
}

Guards conjunction(const Guards& left, const Guards& right) {
  Guards result;
  for (const Guard& a : left) {
    for (const Guard& b : right) {
      if ((a.value & b.mask) != (b.value & a.mask)) continue;  // they disagree on a label
      Guard both{a.mask | b.mask, a.value | b.value};
      if (normalize(both)) result = disjunction(std::move(result), {both});
    }
  }
  return result;
}

Guards complement(const Guards& guards) {
  Guards result{Guard{}};
  for (const Guard& guard : guards) {
    Guards negated;  // one label at a time has the other value
    for (std::uint64_t rest = guard.mask; rest != 0; rest &= rest - 1) {
      const std::uint64_t label = rest & ~(rest - 1);
      Guard single{label, ~guard.value & label};
      if (normalize(single)) negated = disjunction(std::move(negated), {single});
    }
    result = conjunction(result, negated);
  }
  return result;
}

Guards guards_of(const relation::Expression& set) {
  using relation::ExpressionKind;
  switch (set.kind) {
    case ExpressionKind::label: {
      const std::uint64_t label = std::uint64_t{1} << set.number;
      Guard guard{label, label};
      normalize(guard);
      return {guard};
    }
    case ExpressionKind::set_union: {
      Guards result;
      for (const auto& part : set.parts) result = disjunction(std::move(result), guards_of(*part));
      return result;
    }
    case ExpressionKind::set_intersection: {
      Guards result{Guard{}};
      for (const auto& part : set.parts) result = conjunction(result, guards_of(*part));
      return result;
    }
    case ExpressionKind::set_difference:
      return conjunction(guards_of(*set.parts[0]), complement(guards_of(*set.parts[1])));
    default: return {Guard{}};
  }
}

}  // namespace heddle::automata
