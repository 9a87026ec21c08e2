// See witness.h. Nothing here has to be exact: a graph counts only if the evaluator confirms it. Tested in
// implication_test.cpp.
#include "prover/witness.h"

#include <algorithm>
#include <numeric>

#include "prover/label_classes.h"

namespace heddle::prover {
namespace {

constexpr std::size_t maximal_orders = 60;     // of one thread, or of one location's writes
constexpr std::size_t maximal_graphs = 4000;   // tried in all
constexpr int none = SmallGraph::none;

using Order = std::vector<int>;
using Before = std::vector<std::pair<int, int>>;

// Classes of numbers that must be equal.
class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  int find(int a) const { return parent_[a] == a ? a : find(parent_[a]); }
  bool unite(int a, int b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
    return a != b;
  }
  int add() {
    parent_.push_back(static_cast<int>(parent_.size()));
    return parent_.back();
  }

 private:
  std::vector<int> parent_;
};

struct Fact {
  Letter letter;
  int from, to;
};

bool one_of(Letter letter, Steps set) { return set >> static_cast<unsigned>(letter) & 1; }

// All orders of the members that respect `before`, up to a limit.
void list_orders(Order& placed, std::vector<int> rest, const Before& before, std::vector<Order>& found) {
  if (rest.empty()) found.push_back(placed);
  for (std::size_t i = 0; i < rest.size() && found.size() < maximal_orders; ++i) {
    const int next = rest[i];
    const bool early = std::any_of(before.begin(), before.end(), [&](const auto& pair) {
      return pair.second == next && std::find(rest.begin(), rest.end(), pair.first) != rest.end() && pair.first != next;
    });
    if (early) continue;
    std::vector<int> others = rest;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    placed.push_back(next);
    list_orders(placed, std::move(others), before, found);
    placed.pop_back();
  }
}

class Construction {
 public:
  Construction(const Word& word) : events_(word.labels.size()) {
    if (word.cycle && word.labels.size() > 1) events_.unite(0, static_cast<int>(word.labels.size()) - 1);
    for (std::size_t i = 0; i < word.steps.size(); ++i) {
      const int a = static_cast<int>(i), b = a + 1;
      const bool turned = is_inverse(word.steps[i]);
      facts_.push_back({letter_of(word.steps[i]), turned ? b : a, turned ? a : b});
    }
    unite_what_is_unique();
    for (std::size_t i = 0; i < word.labels.size(); ++i) {
      const int e = events_.find(static_cast<int>(i));
      if (e != static_cast<int>(i)) {
        number_.push_back(number_[e]);
        continue;
      }
      number_.push_back(static_cast<int>(graph_.events.size()));
      graph_.events.push_back({.labels = word.labels[i]});
    }
    for (Fact& fact : facts_) fact = {fact.letter, number_[fact.from], number_[fact.to]};
    complete_updates();
    assign_threads_and_locations();
    add_initial_writes();
  }

  // Tries all choices that are left; stops at the first graph that `accept` takes.
  std::optional<SmallGraph> search(const std::function<bool(const SmallGraph&)>& accept) {
    if (graph_.events.size() > 40) return std::nullopt;
    collect_choices();
    std::size_t budget = maximal_graphs;
    return choose(0, accept, budget) ? std::optional(graph_) : std::nullopt;
  }

 private:
  struct Choice {
    enum Kind { thread_order, write_order, source } kind;
    int event = none;  // source: the read
    std::vector<Order> options;
  };

  bool has(int e, std::string_view label) const { return graph_.events[e].labels & bit(label); }

  // A read has one source, an update one other half, a thread one beginning and one end.
  void unite_what_is_unique() {
    for (bool changed = true; changed;) {
      changed = false;
      for (const Fact& a : facts_) {
        for (const Fact& b : facts_) {
          const bool read = one_of(a.letter, reads_from) && one_of(b.letter, reads_from);
          const bool pair = a.letter == b.letter && one_of(a.letter, steps(Letter::rmw, Letter::tc, Letter::tj));
          const bool same_from = events_.find(a.from) == events_.find(b.from);
          const bool same_to = events_.find(a.to) == events_.find(b.to);
          if ((read || pair) && same_to) changed = events_.unite(a.from, b.from) || changed;
          if (pair && same_from) changed = events_.unite(a.to, b.to) || changed;
        }
      }
    }
  }

  void complete_updates() {
    const std::size_t count = graph_.events.size();
    for (std::size_t i = 0; i < count; ++i) {
      const int e = static_cast<int>(i);
      const bool paired = std::any_of(facts_.begin(), facts_.end(), [&](const Fact& fact) {
        return fact.letter == Letter::rmw && (fact.from == e || fact.to == e);
      });
      if (paired || !(has(e, "UR") || has(e, "UW"))) continue;
      const int other = static_cast<int>(graph_.events.size());
      if (has(e, "UR")) {
        graph_.events.push_back({.labels = bit("W") | bit("UW") | bit("AT") | bit("RLX")});
        facts_.push_back({Letter::rmw, e, other});
      } else {
        graph_.events.push_back({.labels = bit("R") | bit("UR") | bit("RX") | bit("AT") | bit("RLX")});
        facts_.push_back({Letter::rmw, other, e});
      }
    }
    for (const Fact& fact : facts_) {
      if (one_of(fact.letter, reads_from)) graph_.events[fact.to].reads_from = fact.from;
      if (one_of(fact.letter, steps(Letter::rmw, Letter::tc, Letter::tj))) graph_.events[fact.to].partner = fact.from;
    }
  }

  void assign_threads_and_locations() {
    Groups threads(graph_.events.size()), locations(graph_.events.size());
    for (const Fact& fact : facts_) {
      if (one_of(fact.letter, in_one_thread)) threads.unite(fact.from, fact.to);
      if (one_of(fact.letter, at_one_location)) locations.unite(fact.from, fact.to);
    }
    for (std::size_t i = 0; i < graph_.events.size(); ++i) {
      const int e = static_cast<int>(i);
      if (!has(e, "IW")) graph_.events[i].thread = threads.find(e);
      if (has(e, "R") || has(e, "W")) graph_.events[i].location = locations.find(e);
    }
  }

  void add_initial_writes() {
    std::vector<int> places;
    for (const auto& event : graph_.events) {
      if (event.location != none) places.push_back(event.location);
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    for (int place : places) {
      const bool there = std::any_of(graph_.events.begin(), graph_.events.end(), [&](const auto& event) {
        return event.location == place && (event.labels & bit("IW"));
      });
      if (!there) graph_.events.push_back({.labels = bit("W") | bit("IW"), .location = place});
    }
  }

  template <class Condition>
  std::vector<int> events_where(Condition&& condition) const {
    std::vector<int> result;
    for (std::size_t i = 0; i < graph_.events.size(); ++i) {
      if (condition(graph_.events[i])) result.push_back(static_cast<int>(i));
    }
    return result;
  }

  void collect_choices() {
    Before in_thread, in_coherence;
    for (const Fact& fact : facts_) {
      if (one_of(fact.letter, program_order | steps(Letter::rmw))) in_thread.emplace_back(fact.from, fact.to);
      if (one_of(fact.letter, coherence | steps(Letter::co_imm))) in_coherence.emplace_back(fact.from, fact.to);
      const int source = one_of(fact.letter, from_read) ? graph_.events[fact.from].reads_from : none;
      if (source != none) in_coherence.emplace_back(source, fact.to);
    }
    const auto add_orders = [&](Choice::Kind kind, const std::vector<int>& members, Before before) {
      for (int e : members) {
        for (int other : members) {
          if (e != other && (has(e, "TB") || has(e, "IW"))) before.emplace_back(e, other);
          if (e != other && has(e, "TE")) before.emplace_back(other, e);
        }
      }
      Choice choice{kind, none, {}};
      Order placed;
      list_orders(placed, members, before, choice.options);
      choices_.push_back(std::move(choice));
    };
    for (std::size_t i = 0; i < graph_.events.size(); ++i) {
      const int group = static_cast<int>(i);
      const auto thread = events_where([&](const auto& event) { return event.thread == group; });
      if (!thread.empty()) add_orders(Choice::thread_order, thread, in_thread);
      const auto writes =
          events_where([&](const auto& event) { return event.location == group && (event.labels & bit("W")); });
      if (!writes.empty()) add_orders(Choice::write_order, writes, in_coherence);
    }
    for (std::size_t i = 0; i < graph_.events.size(); ++i) {
      const auto& read = graph_.events[i];
      if (!(read.labels & bit("R")) || read.reads_from != none) continue;
      Choice choice{Choice::source, static_cast<int>(i), {}};
      for (int w : events_where(
               [&](const auto& event) { return event.location == read.location && (event.labels & bit("W")); })) {
        choice.options.push_back({w});
      }
      // The initial write was added last, and is the most likely source.
      std::reverse(choice.options.begin(), choice.options.end());
      choices_.push_back(std::move(choice));
    }
  }

  bool choose(std::size_t n, const std::function<bool(const SmallGraph&)>& accept, std::size_t& budget) {
    if (budget == 0) return false;
    if (n == choices_.size()) {
      --budget;
      return accept(graph_);
    }
    const Choice& choice = choices_[n];
    for (const Order& option : choice.options) {
      for (std::size_t i = 0; i < option.size(); ++i) {
        if (choice.kind == Choice::thread_order) graph_.events[option[i]].index = static_cast<int>(i);
        if (choice.kind == Choice::write_order) graph_.events[option[i]].place = static_cast<int>(i);
        if (choice.kind == Choice::source) graph_.events[choice.event].reads_from = option[i];
      }
      if (choose(n + 1, accept, budget)) return true;
    }
    return false;
  }

  Groups events_;
  std::vector<int> number_;
  std::vector<Fact> facts_;
  SmallGraph graph_;
  std::vector<Choice> choices_;
};

// Halves of updates are neighbours; initial writes come first.
bool shaped(const SmallGraph& graph) {
  return std::all_of(graph.events.begin(), graph.events.end(), [&](const SmallGraph::Event& event) {
    if ((event.labels & bit("IW")) && event.place != 0) return false;
    if (event.reads_from != none) {
      const SmallGraph::Event& source = graph.events[event.reads_from];
      if (source.location != event.location || !(source.labels & bit("W"))) return false;
    }
    if (!(event.labels & bit("UW"))) return true;
    const SmallGraph::Event& read = graph.events[event.partner];
    return read.thread == event.thread && read.index + 1 == event.index && read.location == event.location;
  });
}

}  // namespace

std::optional<SmallGraph> find_witness(const Word& word, const std::vector<Claim>& claims,
                                       const std::function<bool(const SmallGraph&)>& condition) {
  return Construction(word).search([&](const SmallGraph& graph) {
    if (!shaped(graph) || !condition(graph)) return false;
    return std::all_of(claims.begin(), claims.end(),
                       [&](const Claim& claim) { return holds(claim.kind, *claim.relation, graph); });
  });
}

}  // namespace heddle::prover
