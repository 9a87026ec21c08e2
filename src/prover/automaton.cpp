// See automaton.h. Tested in inclusion_test.cpp.
#include "prover/automaton.h"

#include <algorithm>
#include <map>

namespace heddle::prover {
namespace {

void trim(Automaton& automaton) {
  const std::uint32_t count = automaton.states();
  std::vector<bool> forward(count, false), backward(count, false);
  forward[automaton.initial] = backward[automaton.final] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t s = 0; s < count; ++s) {
      for (const Edge& edge : automaton.edges[s]) {
        if (forward[s] && !forward[edge.to]) forward[edge.to] = changed = true;
        if (backward[edge.to] && !backward[s]) backward[s] = changed = true;
      }
    }
  }
  std::vector<std::uint32_t> renamed(count);
  std::vector<std::vector<Edge>> kept;
  for (std::uint32_t s = 0; s < count; ++s) {
    const bool stays = (forward[s] && backward[s]) || s == automaton.initial || s == automaton.final;
    renamed[s] = stays ? static_cast<std::uint32_t>(kept.size()) : count;
    if (stays) kept.push_back(std::move(automaton.edges[s]));
  }
  for (auto& edges : kept) {
    std::erase_if(edges, [&](const Edge& edge) { return renamed[edge.to] == count; });
    for (Edge& edge : edges) edge.to = renamed[edge.to];
  }
  automaton.edges = std::move(kept);
  automaton.initial = renamed[automaton.initial];
  automaton.final = renamed[automaton.final];
}

// Edges that differ only in their steps, or only in one of their guards, become one.
void join_edges(std::vector<Edge>& edges) {
  for (bool changed = true; changed;) {
    changed = false;
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    for (std::size_t i = 0; i < edges.size() && !changed; ++i) {
      for (std::size_t j = i + 1; j < edges.size() && edges[j].to == edges[i].to; ++j) {
        Edge &a = edges[i], &b = edges[j];
        const bool steps = a.steps == b.steps, source = a.source == b.source, target = a.target == b.target;
        if (steps + source + target < 2 || ((a.steps == 0) != (b.steps == 0))) continue;
        a.steps |= b.steps;
        a.source |= b.source;
        a.target |= b.target;
        edges.erase(edges.begin() + static_cast<std::ptrdiff_t>(j));
        changed = true;
        break;
      }
    }
  }
}

bool merge_bisimilar(Automaton& automaton) {
  const std::uint32_t count = automaton.states();
  std::vector<std::uint32_t> block(count, 0);
  block[automaton.final] = 1;
  std::size_t blocks = 2;
  for (;;) {
    std::map<std::pair<std::uint32_t, std::vector<Edge>>, std::uint32_t> numbers;
    std::vector<std::uint32_t> next(count);
    for (std::uint32_t s = 0; s < count; ++s) {
      std::vector<Edge> edges = automaton.edges[s];
      for (Edge& edge : edges) edge.to = block[edge.to];
      join_edges(edges);
      const auto number = static_cast<std::uint32_t>(numbers.size());
      // The initial state stays alone: nothing may enter it.
      const std::uint32_t kind = s == automaton.initial ? count : block[s];
      next[s] = numbers.emplace(std::pair{kind, std::move(edges)}, number).first->second;
    }
    block = std::move(next);
    if (numbers.size() == blocks) break;
    blocks = numbers.size();
  }
  if (blocks == count) return false;
  std::vector<std::vector<Edge>> merged(blocks);
  for (std::uint32_t s = 0; s < count; ++s) {
    if (!merged[block[s]].empty()) continue;
    merged[block[s]] = std::move(automaton.edges[s]);
    for (Edge& edge : merged[block[s]]) edge.to = block[edge.to];
    join_edges(merged[block[s]]);
  }
  automaton.edges = std::move(merged);
  automaton.initial = block[automaton.initial];
  automaton.final = block[automaton.final];
  return true;
}

}  // namespace

void reduce(Automaton& automaton) {
  for (auto& edges : automaton.edges) join_edges(edges);
  trim(automaton);
  merge_bisimilar(automaton);
}

Steps alphabet(const Automaton& automaton) {
  Steps result = 0;
  for (const auto& edges : automaton.edges) {
    for (const Edge& edge : edges) result |= edge.steps;
  }
  return result;
}

}  // namespace heddle::prover
