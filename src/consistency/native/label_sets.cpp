// See the header. Tested in native_code_test.cpp.
#include "consistency/native/label_sets.h"

#include <algorithm>
#include <bit>

namespace heddle::consistency::native {

using automata::Guard;
using graph::Labels;

LabelSet LabelSet::that(const Guard& guard) const {
  return that([&](Labels labels) { return guard.holds(labels); });
}

LabelSet LabelSet::that(const std::function<bool(Labels)>& passes) const {
  LabelSet result = *this;
  std::erase_if(result.labels_, [&](Labels labels) { return !passes(labels); });
  return result;
}

LabelSet LabelSet::united(const LabelSet& other) const {
  if (!known_ || !other.known_) return {};
  LabelSet result = *this;
  for (const Labels labels : other.labels_) {
    if (std::find(labels_.begin(), labels_.end(), labels) == labels_.end()) result.labels_.push_back(labels);
  }
  return result;
}

bool LabelSet::may_pass(const Guard& guard) const {
  return !known_ || std::any_of(labels_.begin(), labels_.end(), [&](Labels labels) { return guard.holds(labels); });
}

std::optional<Guard> guard_for(const LabelSet& wanted, const LabelSet& among) {
  Labels always = ~Labels{0}, never = ~Labels{0};
  for (const Labels labels : wanted.labels()) {
    always &= labels;
    never &= ~labels;
  }
  Guard guard{always | never, always};
  const auto exact = [&](const Guard& candidate) {
    return std::all_of(among.labels().begin(), among.labels().end(), [&](Labels labels) {
      const auto& list = wanted.labels();
      return candidate.holds(labels) == (std::find(list.begin(), list.end(), labels) != list.end());
    });
  };
  if (!exact(guard)) return std::nullopt;
  if (exact(Guard{})) return Guard{};
  const auto lowest = [](Labels labels) { return labels & (~labels + 1); };
  for (Labels rest = guard.mask; rest != 0; rest &= rest - 1) {  // one label is the cheapest test
    const Guard single{lowest(rest), guard.value & lowest(rest)};
    if (exact(single)) return single;
  }
  for (Labels rest = guard.mask; rest != 0; rest &= rest - 1) {
    const Labels bit = lowest(rest);
    const Guard without{guard.mask & ~bit, guard.value & ~bit};
    if (exact(without)) guard = without;
  }
  return guard;
}

Guard simplified(const Guard& guard, const LabelSet& among) {
  if (!among.known()) return guard;
  const std::optional<Guard> simple = guard_for(among.that(guard), among);
  return simple ? *simple : guard;
}

}  // namespace heddle::consistency::native
