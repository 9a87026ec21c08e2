// See nfa.h. Tested in nfa_test.cpp.
#include "automata/nfa.h"

#include <algorithm>

#include "base/check.h"
#include "relation/vocabulary.h"

namespace heddle::automata {
namespace {

Guard needs(std::string_view name) {
  const std::uint64_t label = std::uint64_t{1} << relation::bit_of(name);
  Guard guard{label, label};
  normalize(guard);
  return guard;
}

Guard forward_source(StepKind kind) {
  switch (kind) {
    case StepKind::rf:
    case StepKind::rfe:
    case StepKind::rfi:
    case StepKind::co_imm:
    case StepKind::coe:
    case StepKind::coi: return needs("W");
    case StepKind::fr_imm:
    case StepKind::fre:
    case StepKind::fri: return needs("R");
    case StepKind::rmw: return needs("UR");
    case StepKind::tc: return needs("TC");
    case StepKind::tj: return needs("TE");
    default: return {};
  }
}

Guard forward_target(StepKind kind) {
  switch (kind) {
    case StepKind::rf:
    case StepKind::rfe:
    case StepKind::rfi: return needs("R");
    case StepKind::co_imm:
    case StepKind::coe:
    case StepKind::coi:
    case StepKind::fr_imm:
    case StepKind::fre:
    case StepKind::fri: return needs("W");
    case StepKind::rmw: return needs("UW");
    case StepKind::tc: return needs("TB");
    case StepKind::tj: return needs("TJ");
    default: return {};
  }
}

// States reachable along (or against) the transitions.
std::vector<bool> reach(const Nfa& nfa, std::vector<bool> seen, bool forward) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Transition& t : nfa.transitions) {
      const std::uint32_t from = forward ? t.from : t.to, to = forward ? t.to : t.from;
      if (seen[from] && !seen[to]) seen[to] = changed = true;
    }
  }
  return seen;
}

}  // namespace

Guard source_of(Step step) { return step.inverse ? forward_target(step.kind) : forward_source(step.kind); }
Guard target_of(Step step) { return step.inverse ? forward_source(step.kind) : forward_target(step.kind); }

bool is_causal(StepKind kind) {
  using enum StepKind;
  switch (kind) {
    case po_imm:
    case po_loc:
    case po_other:
    case rf:
    case rfe:
    case rfi:
    case rmw:
    case tc:
    case tj:
    case view_first:
    case view_all:
    case view_loc:
    case view_other: return true;
    default: return false;
  }
}

void trim(Nfa& nfa) {
  std::vector<bool> start(nfa.states, false);
  start[nfa.initial] = true;
  const std::vector<bool> forward = reach(nfa, start, true), backward = reach(nfa, nfa.accepting, false);
  std::vector<std::uint32_t> renamed(nfa.states, 0);
  std::vector<bool> accepting;
  std::uint32_t count = 0;
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    if (s != nfa.initial && !(forward[s] && backward[s])) continue;
    renamed[s] = count++;
    accepting.push_back(nfa.accepting[s]);
  }
  std::erase_if(nfa.transitions, [&](const Transition& t) {
    return !forward[t.from] || !backward[t.from] || !forward[t.to] || !backward[t.to];
  });
  for (Transition& t : nfa.transitions) {
    t.from = renamed[t.from];
    t.to = renamed[t.to];
  }
  nfa.initial = renamed[nfa.initial];
  nfa.states = count;
  nfa.accepting = std::move(accepting);
}

Nfa reverse(const Nfa& nfa) {
  Nfa result = nfa;
  std::uint32_t accepting = 0, count = 0;
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    if (!nfa.accepting[s]) continue;
    accepting = s;
    ++count;
  }
  HEDDLE_CHECK(count == 1, "only an automaton with one accepting state can be reversed");
  result.accepting.assign(nfa.states, false);
  result.accepting[nfa.initial] = true;
  result.initial = accepting;
  for (Transition& t : result.transitions) {
    std::swap(t.from, t.to);
    std::swap(t.source, t.target);
    t.step.inverse = !t.step.inverse;
  }
  return result;
}

bool accepts(const Nfa& nfa, const std::vector<Letter>& word) {
  std::vector<bool> current(nfa.states, false);
  current[nfa.initial] = true;
  for (const Letter& letter : word) {
    std::vector<bool> next(nfa.states, false);
    for (const Transition& t : nfa.transitions) {
      if (current[t.from] && t.step == letter.step && t.source.holds(letter.before) && t.target.holds(letter.after)) {
        next[t.to] = true;
      }
    }
    current = std::move(next);
  }
  for (std::uint32_t s = 0; s < nfa.states; ++s) {
    if (current[s] && nfa.accepting[s]) return true;
  }
  return false;
}

std::string print(Step step) {
  static constexpr const char* names[] = {"po-imm", "po-loc", "po\\loc", "rf",   "rfe",      "rfi",      "co-imm",
                                          "coe",    "coi",    "fr-imm",  "fre",  "fri",      "rmw",      "tc",
                                          "tj",     "loc",    "first",   "view", "view&loc", "view\\loc"};
  std::string text = names[static_cast<unsigned>(step.kind)];
  if (step.kind >= StepKind::view_first) text += "#" + std::to_string(step.view);
  return step.inverse ? text + "^-1" : text;
}

std::string print(const Nfa& nfa) {
  const auto guard = [](const Guard& g) {
    std::string text;
    for (const relation::SetName& entry : relation::set_names) {
      const std::uint64_t bit = std::uint64_t{1} << entry.bit;
      if ((g.mask & bit) == 0) continue;
      if (!text.empty()) text += ",";
      text += ((g.value & bit) ? "" : "!") + std::string(entry.name);
    }
    return "[" + text + "]";
  };
  std::string out = "states " + std::to_string(nfa.states) + ", initial " + std::to_string(nfa.initial) + "\n";
  for (const Transition& t : nfa.transitions) {
    out += "  " + std::to_string(t.from) + " " + guard(t.source) + " " + print(t.step) + " " + guard(t.target) +
           " -> " + std::to_string(t.to) + (nfa.accepting[t.to] ? "!" : "") + "\n";
  }
  return out;
}

}  // namespace heddle::automata
