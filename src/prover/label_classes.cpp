// See label_classes.h. Tested in inclusion_test.cpp and, against events as the explorer labels them, in
// random_graphs_test.cpp.
#include "prover/label_classes.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>

#include "relation/vocabulary.h"

namespace heddle::prover {
namespace {

using relation::Expression;
using relation::ExpressionKind;

constexpr std::string_view kinds[] = {"R", "W", "F", "TC", "TB", "TE", "TJ"};
constexpr std::uint64_t kind_bits = bit("R") | bit("W") | bit("F") | bit("TC") | bit("TB") | bit("TE") | bit("TJ");

struct Fact {
  std::uint64_t if_all, then_any, never;
};

// Events with all of the first labels have one of the second and none of the third.
constexpr std::uint64_t modes = bit("NA") | bit("AT") | bit("RLX") | bit("ACQ") | bit("REL") | bit("SC");
constexpr Fact facts[] = {
    {bit("UR"), bit("R"), 0},
    {bit("UR"), bit("RX"), 0},
    {bit("RX"), bit("R"), 0},
    {bit("LR"), bit("R"), 0},
    {bit("UW"), bit("W"), 0},
    {bit("LW"), bit("W"), 0},
    {bit("UL"), bit("W"), 0},
    {bit("IW"), bit("W"), modes | bit("UW") | bit("LW") | bit("UL")},
    {bit("NA"), bit("R") | bit("W"), modes & ~bit("NA")},
    {bit("AT"), bit("R") | bit("W"), bit("NA")},
    {bit("RLX"), bit("AT"), bit("ACQ") | bit("REL") | bit("SC")},
    {bit("ACQ"), bit("R") | bit("F"), 0},
    {bit("REL"), bit("W") | bit("F"), 0},
    {bit("SC"), bit("R") | bit("W") | bit("F"), 0},
    {bit("ACQ") | bit("R"), bit("AT"), 0},
    {bit("REL") | bit("W"), bit("AT"), 0},
    {bit("SC") | bit("R"), bit("ACQ"), 0},
    {bit("SC") | bit("W"), bit("REL"), 0},
    {bit("SC") | bit("F"), bit("ACQ"), 0},
    {bit("SC") | bit("F"), bit("REL"), 0},
    {bit("ALLOC"), ~std::uint64_t{0}, kind_bits},
    {bit("FREE"), ~std::uint64_t{0}, kind_bits},
};

std::uint64_t labels_in(const Expression& set) {
  std::uint64_t result = set.kind == ExpressionKind::label ? std::uint64_t{1} << set.number : 0;
  for (const auto& part : set.parts) result |= labels_in(*part);
  return result;
}

bool has_all(std::uint64_t labels, std::uint64_t wanted) { return (labels & wanted) == wanted; }

}  // namespace

bool possible_labels(std::uint64_t labels) {
  if (std::popcount(labels & kind_bits) > 1) return false;
  return std::all_of(std::begin(facts), std::end(facts), [&](const Fact& fact) {
    return !has_all(labels, fact.if_all) || ((labels & fact.then_any) != 0 && (labels & fact.never) == 0);
  });
}

bool in_set(const Expression& set, std::uint64_t labels) {
  const auto holds = [&](const auto& part) { return in_set(*part, labels); };
  switch (set.kind) {
    case ExpressionKind::label: return labels >> set.number & 1;
    case ExpressionKind::set_union: return std::any_of(set.parts.begin(), set.parts.end(), holds);
    case ExpressionKind::set_intersection: return std::all_of(set.parts.begin(), set.parts.end(), holds);
    case ExpressionKind::set_difference: return holds(set.parts[0]) && !holds(set.parts[1]);
    case ExpressionKind::every_event: return true;
    default: throw TooLarge{};  // a kind of set that this prover does not know: no answer
  }
}

LabelClasses::LabelClasses(const std::vector<const Expression*>& relations) {
  for (const Expression* relation : relations) collect(*relation);
  std::uint64_t relevant = bit("IW") | bit("UR") | bit("UW") | bit("RX");
  for (const Expression* set : sets_) relevant |= labels_in(*set);
  for (std::uint64_t before = 0; before != relevant;) {  // what a relevant label implies is relevant too
    before = relevant;
    for (const Fact& fact : facts) {
      if ((fact.if_all & relevant & ~kind_bits) != 0 && std::has_single_bit(fact.then_any)) relevant |= fact.then_any;
    }
  }
  relevant &= ~kind_bits;
  if (std::popcount(relevant) > 16) throw TooLarge{};
  // Every possible combination of the relevant labels, by what it can be told apart by.
  std::map<std::vector<bool>, std::uint64_t> found;
  for (std::size_t k = 0; k <= std::size(kinds); ++k) {
    const std::uint64_t kind = k < std::size(kinds) ? bit(kinds[k]) : 0;
    for (std::uint64_t extra = relevant;; extra = (extra - 1) & relevant) {
      const std::uint64_t labels = kind | extra;
      if (possible_labels(labels)) {
        std::vector<bool> signature;
        for (std::string_view name : kinds) signature.push_back(labels & bit(name));
        for (std::string_view name : {"IW", "UR", "UW"}) signature.push_back(labels & bit(name));
        for (const Expression* set : sets_) signature.push_back(in_set(*set, labels));
        const auto [entry, added] = found.emplace(std::move(signature), labels);
        if (!added && std::popcount(labels) < std::popcount(entry->second)) entry->second = labels;
      }
      if (extra == 0) break;
    }
  }
  if (found.size() > maximal_classes) throw TooLarge{};
  for (const auto& [signature, labels] : found) representative_.push_back(labels);
  // Ordinary events first: searches that go through classes in order find the plainest counterexample.
  const auto plainness = [](std::uint64_t labels) {
    const std::uint64_t kind = labels & kind_bits;
    return std::tuple(kind == 0, kind, std::popcount(labels), labels);
  };
  std::sort(representative_.begin(), representative_.end(),
            [&](std::uint64_t a, std::uint64_t b) { return plainness(a) < plainness(b); });
  fill_ends();
}

void LabelClasses::collect(const Expression& expression) {
  if (expression.is_set()) {
    if (std::find(sets_.begin(), sets_.end(), &expression) == sets_.end()) sets_.push_back(&expression);
    return;
  }
  for (const auto& part : expression.parts) collect(*part);
}

Classes LabelClasses::of(const Expression& set) const {
  Classes members = 0;
  for (unsigned c = 0; c < count(); ++c) {
    if (in_set(set, representative_[c])) members |= Classes{1} << c;
  }
  return members;
}

Classes LabelClasses::named(std::string_view set_name) const {
  Classes result = 0;
  for (unsigned c = 0; c < count(); ++c) {
    if (representative_[c] & bit(set_name)) result |= Classes{1} << c;
  }
  return result;
}

void LabelClasses::fill_ends() {
  const Classes threads = all() & ~named("IW");
  const Classes placeless = named("F") | named("TC") | named("TB") | named("TE") | named("TJ");
  const Classes writes = named("W"), reads = named("R"), later_writes = writes & threads;
  const auto set = [&](Letter letter, Classes source, Classes target) {
    source_[static_cast<unsigned>(letter)] = source;
    target_[static_cast<unsigned>(letter)] = target;
  };
  using enum Letter;
  set(po_loc, threads & ~placeless, threads & ~placeless);
  set(po_other, threads, threads);
  set(po_imm, threads, threads);
  set(rfe, writes, reads);
  set(rfi, later_writes, reads);
  set(coe, writes, later_writes);
  set(coi, later_writes, later_writes);
  set(co_imm, writes, later_writes);
  set(fre, reads, later_writes);
  set(fri, reads, later_writes);
  set(fr_imm, reads, later_writes);
  set(rmw, named("UR"), named("UW"));
  set(tc, named("TC"), named("TB"));
  set(tj, named("TE"), named("TJ"));
  set(loc, all() & ~placeless, all() & ~placeless);
  set(unrelated, all(), all());
}

std::string LabelClasses::name(unsigned c) const {
  std::uint64_t labels = representative_[c];
  // What another label of the class says anyway is left out.
  if (labels & bit("SC")) labels &= ~(bit("AT") | bit("ACQ") | bit("REL"));
  if (labels & (bit("ACQ") | bit("REL") | bit("RLX"))) labels &= ~bit("AT");
  if (labels & bit("UR")) labels &= ~(bit("RX") | bit("R"));
  if (labels & (bit("UW") | bit("IW"))) labels &= ~bit("W");
  std::string text;
  for (const relation::SetName& entry : relation::set_names) {
    if ((labels >> entry.bit & 1) == 0) continue;
    if (!text.empty()) text += " & ";
    text += entry.name;
  }
  return text.empty() ? "_" : text;
}

}  // namespace heddle::prover
