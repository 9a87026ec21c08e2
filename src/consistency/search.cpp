// See search.h. Tested in checker_test.cpp (litmus tests) and random_graphs_test.cpp (against check_full).
#include "consistency/search.h"

#include <algorithm>

#include "consistency/neighbours.h"

namespace heddle::consistency {

Table::Table(const automata::Nfa& nfa) : states(nfa.states), initial(nfa.initial), entering(nfa.states) {
  first.assign(states + 1, 0);
  for (const automata::Transition& t : nfa.transitions) ++first[t.from + 1];
  for (std::uint32_t s = 0; s < states; ++s) first[s + 1] += first[s];
  rows.resize(nfa.transitions.size());
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  std::vector<automata::Transition> ordered = nfa.transitions;
  std::sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return std::tie(a.from, a.step, a.to) < std::tie(b.from, b.step, b.to);
  });
  for (const automata::Transition& t : ordered) {
    rows[next[t.from]++] = {t.source, t.target, t.step, t.to};
    automata::Guards& guards = entering[t.to];
    for (automata::Guard guard : automata::conjunction({t.target}, {automata::target_of(t.step)})) {
      guards = automata::disjunction(std::move(guards), {guard});
    }
  }
}

void Search::begin(const Table& table, unsigned copies) {
  const std::size_t needed = graph_.event_capacity() * table.states * copies;
  if (visited_.size() < needed) {
    visited_.resize(needed + needed / 2);
    stack_.resize(visited_.size() + 1);
  }
  if (++search_ == 0) {  // the counter went round: forget everything
    std::fill(visited_.begin(), visited_.end(), Visit{});
    search_ = 1;
  }
}

bool Search::can_be_in(const Table& table, graph::Labels labels, std::uint32_t state) const {
  for (const automata::Guard& guard : table.entering[state]) {
    if (guard.holds(labels)) return true;
  }
  return false;
}

void Search::record(std::uint32_t last, std::uint32_t start, std::uint32_t width) {
  found_.clear();
  for (std::uint32_t at = last; at != start; at = visited_[at].from) found_.push_back(at / width);
  found_.push_back(start / width);
  std::reverse(found_.begin(), found_.end());
}

bool Search::finds_cycle(const Table& circle, EventId e) {
  const std::uint32_t states = circle.states;
  for (std::uint32_t q = 0; q < states; ++q) {
    if (!can_be_in(circle, graph_[e].labels, q)) continue;
    begin(circle, 1);
    const std::uint32_t start = e * states + q, search = search_;
    Visit* const visited = visited_.data();
    std::uint32_t* top = stack_.data();
    *top++ = start;
    bool cycle = false;
    while (top != stack_.data() && !cycle) {
      const std::uint32_t pair = *--top;
      const EventId x = pair / states;
      const std::uint32_t s = pair % states;
      const graph::Labels labels = graph_[x].labels;
      for (std::uint32_t i = circle.first[s]; i < circle.first[s + 1]; ++i) {
        const Row& row = circle.rows[i];
        if (!row.source.holds(labels)) continue;
        visit_neighbours(graph_, row.step, x, [&](EventId y) {
          if (!row.target.holds(graph_[y].labels)) return;
          const std::uint32_t next = y * states + row.to;
          if (visited[next].search == search) return;
          visited[next] = {search, pair};
          *top++ = next;
          if (next == start) cycle = true;
        });
      }
    }
    if (cycle) {
      record(visited[start].from, start, states);
      return true;
    }
  }
  return false;
}

bool Search::finds_marked_cycle(const Table& circle, EventId e, bool once) {
  const std::uint32_t states = circle.states, width = states * 2;
  for (std::uint32_t q = 0; q < states; ++q) {
    begin(circle, 2);
    const std::uint32_t mark = q == circle.initial ? 1 : 0;
    const std::uint32_t start = e * width + q * 2 + mark, goal = start | 1;
    std::uint32_t* top = stack_.data();
    *top++ = start;
    bool cycle = false;
    while (top != stack_.data() && !cycle) {
      const std::uint32_t pair = *--top;
      const EventId x = pair / width;
      const std::uint32_t s = pair % width / 2, passed = pair & 1;
      for (std::uint32_t i = circle.first[s]; i < circle.first[s + 1]; ++i) {
        const Row& row = circle.rows[i];
        if (!row.source.holds(graph_[x].labels)) continue;
        visit_neighbours(graph_, row.step, x, [&](EventId y) {
          if (cycle || !row.target.holds(graph_[y].labels)) return;
          const bool passes = row.to == circle.initial;
          const std::uint32_t next = y * width + row.to * 2 + (passes ? 1 : passed);
          if (next == goal) {
            cycle = true;
            record(pair, start, width);
            return;
          }
          if (once && passes && passed) return;
          if (visited_[next].search == search_) return;
          visited_[next] = {search_, pair};
          *top++ = next;
        });
      }
    }
    if (cycle) return true;
  }
  return false;
}

bool Search::reaches(const Table& table, EventId e, std::uint32_t state, std::uint32_t goal) {
  found_.assign(1, e);
  if (state == goal) return true;
  begin(table, 1);
  const std::uint32_t states = table.states, start = e * states + state;
  std::uint32_t* top = stack_.data();
  *top++ = start;
  visited_[start] = {search_, start};
  bool reached = false;
  while (top != stack_.data() && !reached) {
    const std::uint32_t pair = *--top;
    const EventId x = pair / states;
    const std::uint32_t s = pair % states;
    for (std::uint32_t i = table.first[s]; i < table.first[s + 1]; ++i) {
      const Row& row = table.rows[i];
      if (!row.source.holds(graph_[x].labels)) continue;
      visit_neighbours(graph_, row.step, x, [&](EventId y) {
        const std::uint32_t next = y * states + row.to;
        if (reached || !row.target.holds(graph_[y].labels) || visited_[next].search == search_) return;
        visited_[next] = {search_, pair};
        *top++ = next;
        if (row.to == goal) {
          reached = true;
          record(next, start, states);
        }
      });
    }
  }
  return reached;
}

void Search::collect(const Table& table, EventId e, std::uint32_t state, std::uint32_t goal,
                     std::vector<EventId>& events) {
  events.clear();
  if (state == goal) events.push_back(e);
  begin(table, 1);
  const std::uint32_t states = table.states;
  std::uint32_t* top = stack_.data();
  *top++ = e * states + state;
  visited_[e * states + state] = {search_, e * states + state};
  while (top != stack_.data()) {
    const std::uint32_t pair = *--top;
    const EventId x = pair / states;
    const std::uint32_t s = pair % states;
    for (std::uint32_t i = table.first[s]; i < table.first[s + 1]; ++i) {
      const Row& row = table.rows[i];
      if (!row.source.holds(graph_[x].labels)) continue;
      visit_neighbours(graph_, row.step, x, [&](EventId y) {
        const std::uint32_t next = y * states + row.to;
        if (!row.target.holds(graph_[y].labels) || visited_[next].search == search_) return;
        visited_[next] = {search_, pair};
        *top++ = next;
        if (row.to == goal) events.push_back(y);
      });
    }
  }
}

}  // namespace heddle::consistency
