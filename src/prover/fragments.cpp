// See fragments.h. Tested through language.h.
#include "prover/fragments.h"

#include <algorithm>

namespace heddle::prover {
namespace {

constexpr Steps po_steps = steps(Letter::po_loc, Letter::po_other);

bool is_transitive(Steps set) {
  for (Steps order : {po_steps, steps(Letter::po_loc), coherence}) {
    if (set == order || set == inverse(order)) return true;
  }
  return false;
}

// Adds `more` to `ends`, guarded by the skipped part between them.
void extend(std::vector<Fragment::End>& ends, const std::vector<Fragment::End>& more, Classes skipped) {
  for (const Fragment::End& end : more) {
    if ((end.guard & skipped) != 0) ends.push_back({end.position, end.guard & skipped});
  }
}

}  // namespace

Fragment Fragments::step(Steps set) {
  if (set == 0) return {};
  if (steps_.size() > maximal_states) throw TooLarge{};
  steps_.push_back(set);
  const auto position = static_cast<std::uint32_t>(steps_.size() - 1);
  return {0, {{position, classes_.all()}}, {{position, classes_.all()}}};
}

Fragment Fragments::skippable(Fragment fragment) const {
  fragment.skip = classes_.all();
  return fragment;
}

Fragment Fragments::repeated(Fragment fragment) {
  link(fragment.last, fragment.first);
  return fragment;
}

Fragment Fragments::either(Fragment left, const Fragment& right) {
  left.skip |= right.skip;
  left.first.insert(left.first.end(), right.first.begin(), right.first.end());
  left.last.insert(left.last.end(), right.last.begin(), right.last.end());
  return left;
}

Fragment Fragments::joined(Fragment left, const Fragment& right) {
  link(left.last, right.first);
  extend(left.first, right.first, left.skip);
  Ends last = right.last;
  extend(last, left.last, right.skip);
  return {left.skip & right.skip, std::move(left.first), std::move(last)};
}

void Fragments::link(const Ends& from, const Ends& to) {
  for (const Fragment::End& a : from) {
    for (const Fragment::End& b : to) {
      const Classes guard = a.guard & b.guard;
      if (merge_ && a.position == b.position && guard == classes_.all() && is_transitive(steps_[a.position])) continue;
      if (guard != 0 && composable(a.position, b.position, guard)) links_.push_back({a.position, b.position, guard});
    }
  }
  if (links_.size() > maximal_edges) throw TooLarge{};
}

bool Fragments::composable(std::uint32_t a, std::uint32_t b, Classes guard) const {
  Classes arrives = 0, leaves = 0;
  for_each_step(steps_[a], [&](StepCode step) { arrives |= classes_.target_of(step); });
  for_each_step(steps_[b], [&](StepCode step) { leaves |= classes_.source_of(step); });
  return (arrives & leaves & guard) != 0;
}

// Is program order a word of its own, so that two of it in a row are one?
bool Fragments::merges_with_itself(const Fragment& whole, std::uint32_t position) const {
  const auto free = [&](const Fragment::End& end) { return end.position == position && end.guard == classes_.all(); };
  return steps_[position] == po_steps && std::any_of(whole.first.begin(), whole.first.end(), free) &&
         std::any_of(whole.last.begin(), whole.last.end(), free);
}

Automaton Fragments::assemble(const Fragment& whole, bool cycle) const {
  Automaton automaton;
  automaton.edges.resize(steps_.size() + 2);
  automaton.empty = whole.skip;
  std::size_t count = 0;
  const auto enter = [&](std::uint32_t from, std::uint32_t position, Classes guard) {
    automaton.edges[from].push_back({position + 2, steps_[position], guard, classes_.all()});
    const bool read_elsewhere = cycle && from != automaton.initial && merges_with_itself(whole, position);
    for (const Fragment::End& end : whole.last) {
      if (end.position == position && !read_elsewhere)
        automaton.edges[from].push_back({automaton.final, steps_[position], guard, end.guard});
    }
    if (++count > maximal_edges) throw TooLarge{};
  };
  for (const Fragment::End& end : whole.first) enter(automaton.initial, end.position, end.guard);
  for (const Link& link : links_) enter(link.from + 2, link.to, link.guard);
  reduce(automaton);
  return automaton;
}

}  // namespace heddle::prover
