// See extensibility.h. Tested in admission_test.cpp.
#include "prover/extensibility.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "prover/cycles.h"
#include "prover/detour.h"

namespace heddle::prover {
namespace {

using enum Letter;
using relation::ConstraintKind;

// An edge of the claim's automaton, with the final state joined to the initial one.
struct Arrow {
  std::uint32_t from, to;
  Steps steps;
  Classes source, target;
  bool completes;
};

// A way through the new event, from one state to another.
struct Passage {
  std::uint32_t from, to;
  StepCode arrive, leave;
  Classes source, target;
  unsigned event_class;
  unsigned completed;  // how many words of the claim it completes
};

class Construction {
 public:
  Construction(const Automaton& automaton, bool repeats, const LabelClasses& classes)
      : automaton_(automaton), repeats_(repeats), classes_(classes), new_events_(classes.all() & ~classes.named("IW")) {
    for (std::uint32_t s = 0; s < automaton.states(); ++s) {
      for (const Edge& edge : automaton.edges[s]) {
        const bool completes = edge.to == automaton.final;
        arrows_.push_back(
            {s, completes ? automaton.initial : edge.to, edge.steps, edge.source, edge.target, completes});
      }
    }
    for (const Arrow& arrow : arrows_) find_passages(arrow);
  }

  // Only the new event itself, at one location with itself: a cycle of loc.
  std::optional<Word> cycle_of_new_event_alone() const {
    for (unsigned c = 0; c < classes_.count(); ++c) {
      if ((new_events_ & classes_.source_of(static_cast<StepCode>(loc))) >> c & 1) {
        for (const auto& [state, completed] : stay(automaton_.initial, 0, c)) {
          if (state != automaton_.initial || completed == 0) continue;
          Word word;
          word.cycle = true;
          word.add_event(classes_, c);
          word.steps.push_back(static_cast<StepCode>(loc));
          word.add_event(classes_, c);
          for (std::string& name : word.names) name = "new " + name;
          return word;
        }
      }
    }
    return std::nullopt;
  }

  bool any_passage() const { return !passages_.empty(); }

  // Words that are cycles of the claim through the new event, with the detour in place of it.
  Automaton detours() {
    Automaton result;
    result.edges.resize(2);
    std::set<std::uint32_t> starts;
    for (const Passage& passage : passages_) starts.insert(passage.from);
    for (std::uint32_t start : starts) add_copy(result, start);
    if (result.states() > maximal_states) throw TooLarge{};
    return result;
  }

  // Puts the new event back into a word of detours().
  Word restore(const InclusionResult& result) const {
    Word word;
    word.cycle = true;
    std::multimap<std::size_t, const Passage*> after;  // by number of the event before
    std::set<std::size_t> replaced_steps;
    for (std::size_t i = 0; i < result.path.size(); ++i) {
      const auto found = passage_at_.find(result.path[i].first);
      if (found == passage_at_.end()) continue;
      const std::size_t event = result.path[i].second;
      after.emplace(event, &passages_[found->second]);
      if (i + 1 < result.path.size() && result.path[i + 1].second > event) replaced_steps.insert(event);
    }
    for (std::size_t e = 0; e < result.word.names.size(); ++e) {
      const auto add = [&](const Passage& passage) {
        word.steps.push_back(passage.arrive);
        word.labels.push_back(classes_.labels_of(passage.event_class));
        word.names.push_back("new " + classes_.name(passage.event_class));
        word.steps.push_back(passage.leave);
      };
      word.labels.push_back(result.word.labels[e]);
      word.names.push_back(result.word.names[e]);
      const auto [begin, end] = after.equal_range(e);
      for (auto at = begin; at != end; ++at) {
        add(*at->second);
        if (std::next(at) == end && replaced_steps.contains(e)) break;
        word.labels.push_back(result.word.labels[e]);  // back at the same event
        word.names.push_back(result.word.names[e]);
      }
      if (e < result.word.steps.size() && !replaced_steps.contains(e)) word.steps.push_back(result.word.steps[e]);
    }
    return word;
  }

 private:
  unsigned more(unsigned completed, bool completes) const { return std::min(completed + completes, 2u); }

  // States that can be reached from `from` while staying at the new event, by loc from it to itself.
  std::set<std::pair<std::uint32_t, unsigned>> stay(std::uint32_t from, unsigned completed, unsigned c) const {
    std::set<std::pair<std::uint32_t, unsigned>> seen{{from, completed}};
    std::vector<std::pair<std::uint32_t, unsigned>> stack{{from, completed}};
    while (!stack.empty()) {
      const auto [state, count] = stack.back();
      stack.pop_back();
      for (const Arrow& arrow : arrows_) {
        if (arrow.from != state || !(arrow.steps & location_steps)) continue;
        if (!(arrow.source >> c & 1) || !(arrow.target >> c & 1)) continue;
        const std::pair next{arrow.to, more(count, arrow.completes)};
        if (seen.insert(next).second) stack.push_back(next);
      }
    }
    return seen;
  }

  void find_passages(const Arrow& in) {
    for_each_step(in.steps & arriving, [&](StepCode arrive) {
      const Classes possible = in.target & classes_.target_of(arrive) & new_events_;
      for (unsigned c = 0; c < classes_.count(); ++c) {
        if ((possible >> c & 1) == 0) continue;
        for (const auto& [state, completed] : stay(in.to, in.completes, c)) {
          for (const Arrow& out : arrows_) {
            if (out.from != state || !(out.source >> c & 1)) continue;
            for_each_step(out.steps & leaving, [&](StepCode leave) {
              if ((classes_.source_of(leave) >> c & 1) == 0) return;
              passages_.push_back({in.from, out.to, arrive, leave, in.source & classes_.source_of(arrive),
                                   out.target & classes_.target_of(leave), c, more(completed, out.completes)});
            });
          }
        }
      }
    });
    if (passages_.size() > 20000) throw TooLarge{};
  }

  // Walks that begin at state `start` with a passage and return to it. A state of the claim's automaton becomes four:
  // whether a word of the claim was completed, and whether the event is one that the new read reads from, hence last
  // in coherence.
  void add_copy(Automaton& result, std::uint32_t start) {
    const std::uint32_t count = automaton_.states(), base = result.states();
    for (std::uint32_t i = 0; i < 4 * count; ++i) result.add_state();
    const auto state = [&](std::uint32_t s, unsigned completed, bool last_write) {
      return base + 4 * s + 2 * last_write + (completed > 0);
    };
    const auto allowed = [&](unsigned before, unsigned completed) { return repeats_ || before + completed <= 1; };
    const auto connect = [&](std::uint32_t from, std::uint32_t s, unsigned completed, bool last_write, Edge edge,
                             bool may_end = true) {
      edge.to = state(s, completed, last_write);
      result.edges[from].push_back(edge);
      if (s != start || completed == 0 || !may_end) return;
      edge.to = result.final;
      result.edges[from].push_back(edge);
    };
    const auto pass = [&](std::uint32_t from, unsigned before, std::size_t number) {
      const Passage& passage = passages_[number];
      if (!allowed(before, passage.completed)) return;
      const std::uint32_t between = result.add_state();
      passage_at_[between] = number;
      result.edges[from].push_back({between, 0, classes_.all(), classes_.all()});
      const Detour detour = around(passage.arrive, passage.leave);
      const unsigned completed = before + passage.completed;
      const bool last_write = single(passage.leave) & inverse(reads_from);
      if (detour.steps != 0) {
        connect(between, passage.to, completed, last_write, {0, detour.steps, passage.source, passage.target},
                detour.same || from != result.initial);
      }
      const Classes both = passage.source & passage.target;
      if (detour.same && both != 0) connect(between, passage.to, completed, last_write, {0, 0, both, both});
    };
    for (std::size_t n = 0; n < passages_.size(); ++n) {
      if (passages_[n].from == start) pass(result.initial, 0, n);
      for (unsigned completed : {0u, 1u}) {
        for (bool last_write : {false, true}) pass(state(passages_[n].from, completed, last_write), completed, n);
      }
    }
    for (const Arrow& arrow : arrows_) {
      for (unsigned completed : {0u, 1u}) {
        for (bool last_write : {false, true}) {
          const Steps possible = last_write ? arrow.steps & ~(coherence | steps(co_imm)) : arrow.steps;
          if (possible == 0 || !allowed(completed, arrow.completes)) continue;
          connect(state(arrow.from, completed, last_write), arrow.to, completed + arrow.completes, false,
                  {0, possible, arrow.source, arrow.target});
        }
      }
    }
  }

  const Automaton& automaton_;
  const bool repeats_;
  const LabelClasses& classes_;
  const Classes new_events_;
  std::vector<Arrow> arrows_;
  std::vector<Passage> passages_;
  std::map<std::uint32_t, std::size_t> passage_at_;
};

// A word of an `empty` claim that begins or ends with the new event, or passes it.
InclusionResult empty_stays(const Automaton& automaton, const LabelClasses& classes, Limits limits) {
  const Classes new_events = classes.all() & ~classes.named("IW");
  Automaton ending = automaton, beginning = automaton;
  for (std::uint32_t s = 0; s < automaton.states(); ++s) {
    for (Edge& edge : ending.edges[s]) {
      if (edge.to != automaton.final) continue;
      edge.steps &= arriving;
      edge.target &= new_events;
    }
  }
  for (Edge& edge : beginning.edges[automaton.initial]) {
    edge.steps &= leaving;
    edge.source &= new_events;
  }
  Automaton nothing;
  nothing.edges.resize(2);
  InclusionResult result = included(ending, nothing, classes, limits);
  if (result.answer == Answer::no) result.word.names.back() = "new " + result.word.names.back();
  if (result.answer != Answer::yes) return result;
  result = included(beginning, nothing, classes, limits);
  if (result.answer == Answer::no) result.word.names.front() = "new " + result.word.names.front();
  if (result.answer != Answer::yes) return result;
  const bool passes = Construction(automaton, false, classes).any_passage();
  return {passes ? Answer::unknown : Answer::yes, {}, {}};
}

}  // namespace

InclusionResult extensible(const Claim& claim, const std::vector<Claim>& claims, Limits limits) {
  try {
    std::vector<const relation::Expression*> relations{claim.relation.get()};
    for (const Claim& other : claims) relations.push_back(other.relation.get());
    const LabelClasses classes(relations);
    const Automaton automaton = left_automaton(*claim.relation, classes);
    for (unsigned c = 0; c < classes.count(); ++c) {
      if ((automaton.empty & ~classes.named("IW")) >> c & 1) {
        Word word;
        word.add_event(classes, c);
        word.names[0] = "new " + word.names[0];
        return {Answer::no, word, {}};
      }
    }
    if (claim.kind == ConstraintKind::empty) return empty_stays(automaton, classes, limits);
    if ((alphabet(automaton) & leaving) == 0) return {Answer::yes, {}, {}};
    Construction construction(automaton, claim.kind == ConstraintKind::acyclic, classes);
    if (std::optional<Word> word = construction.cycle_of_new_event_alone()) return {Answer::no, *word, {}};
    const Automaton detours = construction.detours();
    std::vector<Forbidden> forbidden;
    for (const Claim& other : claims) {
      if (other.kind == ConstraintKind::empty) continue;
      forbidden.push_back(
          {right_automaton(*other.relation, classes, {}, alphabet(detours)), other.kind == ConstraintKind::acyclic});
    }
    InclusionResult result = no_cycles(detours, forbidden, classes, Rotation::all, limits);
    if (result.answer == Answer::no) result.word = construction.restore(result);
    return result;
  } catch (const TooLarge&) {
    return {Answer::unknown, {}, {}};
  }
}

}  // namespace heddle::prover
