// See explain_order.h. The shortest cycle is searched with a 0-1 breadth-first search over (step, kind of the link that
// led to it): going on along program order, or along coherence after from-read or coherence, costs nothing, so the
// length counts the links that a reader sees.
#include "report/explain_order.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "report/source_lines.h"

namespace heddle::report {

using bytecode::RecordedEvent;
using bytecode::RecordedKind;

namespace {

constexpr std::size_t most_cycle_starts = 512;  // steps from which the shortest cycle is looked for

struct Edge {
  std::uint32_t to = 0;
  Link link{};
};

using Graph = std::vector<std::vector<Edge>>;

void add_program_order(Graph& graph, const bytecode::RecordedExecution& execution,
                       const std::vector<std::uint32_t>& step_of) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> at;  // (thread, index) -> event
  std::map<std::uint32_t, std::uint32_t> begins, ends;  // thread -> event
  for (std::uint32_t e = 0; e < execution.events.size(); ++e) {
    const RecordedEvent& event = execution.events[e];
    at[{event.thread, event.index}] = e;
    if (event.kind == RecordedKind::finish) ends[event.thread] = e;
  }
  for (const auto& [key, e] : at) begins.emplace(key.first, e);
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    if (step_of[from] != step_of[to]) graph[step_of[from]].push_back({step_of[to], Link::program_order});
  };
  const std::pair<const std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>* previous = nullptr;
  for (const auto& entry : at) {
    if (previous && previous->first.first == entry.first.first) add(previous->second, entry.second);
    previous = &entry;
  }
  for (std::uint32_t e = 0; e < execution.events.size(); ++e) {
    const RecordedEvent& event = execution.events[e];
    if (event.kind == RecordedKind::create) {
      if (const auto begin = begins.find(event.other_thread); begin != begins.end()) add(e, begin->second);
    } else if (event.after) {
      if (*event.after < execution.events.size()) add(*event.after, e);
    } else if (event.kind == RecordedKind::join) {
      if (const auto end = ends.find(event.other_thread); end != ends.end()) add(end->second, e);
    }
  }
}

void add_communication(Graph& graph, const bytecode::RecordedExecution& execution,
                       const std::vector<std::uint32_t>& step_of) {
  std::map<bytecode::Address, std::map<std::uint32_t, std::uint32_t>> writes;  // address -> coherence rank -> event
  for (std::uint32_t e = 0; e < execution.events.size(); ++e) {
    const RecordedEvent& event = execution.events[e];
    if (event.kind == RecordedKind::write && event.coherence_rank != 0) writes[event.address][event.coherence_rank] = e;
  }
  const auto add = [&](std::uint32_t from, std::uint32_t to, Link link) {
    if (step_of[from] != step_of[to]) graph[step_of[from]].push_back({step_of[to], link});
  };
  for (const auto& [address, by_rank] : writes) {
    for (auto write = by_rank.begin(), next = write; write != by_rank.end(); write = next) {
      if (++next != by_rank.end()) add(write->second, next->second, Link::coherence);
    }
  }
  for (std::uint32_t e = 0; e < execution.events.size(); ++e) {
    const RecordedEvent& event = execution.events[e];
    if (event.kind != RecordedKind::read || !event.reads_from) continue;
    std::uint32_t rank = 0;
    if (*event.reads_from != bytecode::initial_write) {
      if (*event.reads_from >= execution.events.size()) continue;
      rank = execution.events[*event.reads_from].coherence_rank;
      add(*event.reads_from, e, Link::reads_from);
      if (rank == 0) continue;
    }
    const auto location = writes.find(event.address);
    if (location == writes.end()) continue;
    const auto newer = location->second.upper_bound(rank);
    if (newer == location->second.end()) continue;
    // The own write half of a read-modify-write is the next in coherence; nothing to say then.
    add(e, newer->second, Link::from_read);
  }
}

// A topological order that stays in one thread as long as it can. Shorter than the graph if there is a cycle.
std::vector<std::uint32_t> interleave(const bytecode::RecordedExecution& execution, const std::vector<Step>& steps,
                                      const Graph& graph, const std::vector<char>& is_last) {
  std::vector<std::uint32_t> missing(graph.size(), 0);
  for (const auto& edges : graph) {
    for (const Edge& edge : edges) ++missing[edge.to];
  }
  std::vector<std::uint32_t> ready, order;
  for (std::uint32_t s = 0; s < graph.size(); ++s) {
    if (missing[s] == 0) ready.push_back(s);
  }
  std::uint32_t current = 0;
  while (!ready.empty()) {
    const auto cost = [&](std::uint32_t s) {
      const std::uint32_t thread = execution.events[steps[s].first].thread;
      return std::array<std::uint32_t, 4>{is_last[s] != 0 ? 1u : 0u, thread == current ? 0u : 1u, thread, s};
    };
    const auto best = std::min_element(ready.begin(), ready.end(),
                                       [&](std::uint32_t a, std::uint32_t b) { return cost(a) < cost(b); });
    const std::uint32_t chosen = *best;
    ready.erase(best);
    order.push_back(chosen);
    current = execution.events[steps[chosen].first].thread;
    for (const Edge& edge : graph[chosen]) {
      if (--missing[edge.to] == 0) ready.push_back(edge.to);
    }
  }
  return order;
}

unsigned cost_of(Link before, Link link) {
  if (link == Link::program_order) return before == Link::program_order ? 0 : 1;
  if (link == Link::coherence) return before == Link::coherence || before == Link::from_read ? 0 : 1;
  return 1;
}

// The shortest cycle through `start`, as (step, link to the next); empty if there is none.
std::vector<CycleStep> cycle_through(const Graph& graph, std::uint32_t start) {
  constexpr std::uint32_t unseen = 0xffffffff;
  constexpr unsigned kinds = 4;
  struct Visit {
    std::uint32_t cost = unseen;
    std::uint32_t from = unseen;  // state
  };
  std::vector<Visit> visits(graph.size() * kinds);
  std::deque<std::uint32_t> queue;
  const auto state = [](std::uint32_t s, Link link) { return s * kinds + static_cast<std::uint32_t>(link); };
  const auto reach = [&](std::uint32_t from, const Edge& edge, std::uint32_t cost, bool free) {
    Visit& visit = visits[state(edge.to, edge.link)];
    if (visit.cost <= cost) return;
    visit = {cost, from};
    free ? queue.push_front(state(edge.to, edge.link)) : queue.push_back(state(edge.to, edge.link));
  };
  for (const Edge& edge : graph[start]) reach(unseen, edge, 1, false);
  while (!queue.empty()) {
    const std::uint32_t at = queue.front();
    queue.pop_front();
    if (at / kinds == start) {
      std::vector<CycleStep> cycle;
      for (std::uint32_t s = at; s != unseen; s = visits[s].from) {
        const std::uint32_t from = visits[s].from == unseen ? start : visits[s].from / kinds;
        cycle.push_back({from, static_cast<Link>(s % kinds)});
      }
      std::reverse(cycle.begin(), cycle.end());
      return cycle;
    }
    for (const Edge& edge : graph[at / kinds]) {
      const unsigned cost = cost_of(static_cast<Link>(at % kinds), edge.link);
      reach(at, edge, visits[at].cost + cost, cost == 0);
    }
  }
  return {};
}

// Joins neighbouring links that are one to the reader, around the end too.
std::vector<CycleStep> merged(std::vector<CycleStep> cycle) {
  for (std::size_t turns = 0; turns < cycle.size() && cost_of(cycle.back().next, cycle.front().next) == 0; ++turns) {
    std::rotate(cycle.begin(), cycle.begin() + 1, cycle.end());
  }
  std::vector<CycleStep> result;
  for (const CycleStep& step : cycle) {
    if (!result.empty() && cost_of(result.back().next, step.next) == 0) continue;
    result.push_back(step);
  }
  // Begin right after a from-read, so that the last line is the read that misses what the first line wrote.
  const auto missing =
      std::find_if(result.begin(), result.end(), [](const CycleStep& s) { return s.next == Link::from_read; });
  if (missing != result.end()) std::rotate(result.begin(), missing + 1, result.end());
  return result;
}

std::vector<CycleStep> shortest_cycle(const Graph& graph, const std::vector<std::uint32_t>& ordered) {
  std::vector<char> acyclic(graph.size(), 0);
  for (const std::uint32_t s : ordered) acyclic[s] = 1;
  std::vector<CycleStep> best;
  std::size_t starts = 0;
  for (std::uint32_t s = 0; s < graph.size() && starts < most_cycle_starts; ++s) {
    if (acyclic[s] != 0) continue;
    ++starts;
    std::vector<CycleStep> cycle = cycle_through(graph, s);
    if (cycle.empty()) continue;
    cycle = merged(std::move(cycle));
    if (best.empty() || cycle.size() < best.size()) best = std::move(cycle);
  }
  return best;
}

}  // namespace

Order find_order(const bytecode::RecordedExecution& execution, const std::vector<Step>& steps,
                 const std::vector<std::uint32_t>& last) {
  const std::vector<std::uint32_t> step_of = step_of_event(execution, steps);
  Graph graph(steps.size());
  add_program_order(graph, execution, step_of);
  add_communication(graph, execution, step_of);
  std::vector<char> is_last(steps.size(), 0);
  for (const std::uint32_t e : last) {
    if (e < step_of.size()) is_last[step_of[e]] = 1;
  }
  Order order;
  order.interleaving = interleave(execution, steps, graph, is_last);
  if (order.interleaving.size() < steps.size()) {
    order.cycle = shortest_cycle(graph, order.interleaving);
    order.interleaving.clear();
  }
  return order;
}

}  // namespace heddle::report
