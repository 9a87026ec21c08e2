// See views.h. Tested in checker_test.cpp and, against check_full, in random_graphs_test.cpp.
#include "consistency/views.h"

#include <algorithm>
#include <cstring>

#include "consistency/neighbours.h"

namespace heddle::consistency {
namespace {

// Clocks are multiples of 4 numbers long: one vector register at a time.
using Four = std::uint32_t __attribute__((vector_size(16)));

void copy(std::uint32_t* into, const std::uint32_t* from, std::size_t count) {
  for (std::size_t t = 0; t < count; t += 4) std::memcpy(into + t, from + t, sizeof(Four));
}

void join(std::uint32_t* into, const std::uint32_t* from, std::size_t count) {
  for (std::size_t t = 0; t < count; t += 4) {
    Four a, b;
    std::memcpy(&a, into + t, sizeof a);
    std::memcpy(&b, from + t, sizeof b);
    a = a > b ? a : b;
    std::memcpy(into + t, &a, sizeof a);
  }
}

// Does the view contain the whole of this relation, by itself? `kind` steps lead from the events that have `source`.
bool is_whole(const automata::Nfa& circle, const automata::Transition& t, StepKind kind) {
  return t.from == circle.initial && t.to == circle.initial && t.step == Step{kind, false, 0} &&
         automata::implies(automata::source_of(t.step), t.source) &&
         automata::implies(automata::target_of(t.step), t.target);
}

}  // namespace

Views::Views(ExecutionGraph& graph, const std::vector<automata::Nfa>& circles) : graph_(graph) {
  for (const automata::Nfa& circle : circles) {
    tables_.emplace_back(circle);
    const BackwardTable& table = tables_.back();
    graph::Labels labels = 0;
    if (table.states > 0)
      for (std::uint32_t i = table.first[table.initial]; i < table.first[table.initial + 1]; ++i)
        labels |= table.rows[i].target.value == 0 ? ~graph::Labels{0} : table.rows[i].target.value;
    ends_of_words_.push_back(labels);
  }
  // A graph may carry more views than this model has.
  tables_.resize(std::max<std::size_t>(tables_.size(), graph.view_count()));
  ends_of_words_.resize(tables_.size(), 0);
}

BackwardTable::BackwardTable(const automata::Nfa& circle) {
  states = circle.states;
  initial = circle.initial;
  only_program_order.assign(circle.states, true);
  also_end.assign(circle.states, std::nullopt);
  first.assign(circle.states + 1, 0);
  for (std::uint32_t s = 0; s < circle.states; ++s) {
    for (const automata::Transition& t : circle.transitions) {
      if (t.to != s || is_whole(circle, t, StepKind::po_imm)) continue;
      if (is_whole(circle, t, StepKind::tc)) {
        created = true;
        continue;
      }
      if (is_whole(circle, t, StepKind::tj)) {
        joined = true;
        continue;
      }
      Step step = t.step;
      step.inverse = !step.inverse;
      // Asking for what the step needs anyway lets most events pass by without looking at their neighbours.
      const automata::Guards both = automata::conjunction({t.target}, {automata::target_of(t.step)});
      if (!both.empty()) rows.push_back({t.source, both[0], step, t.from});
    }
    first[s + 1] = static_cast<std::uint32_t>(rows.size());
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const automata::Transition& t : circle.transitions) {
      if (t.to == circle.initial || !only_program_order[t.to]) continue;
      const bool before = t.from == circle.initial || only_program_order[t.from];
      if (t.step.kind == StepKind::po_imm && before) continue;
      only_program_order[t.to] = false;
      changed = true;
    }
  }
  // State s is "also the end" under guard g if every transition into s has a twin into the initial state that asks g.
  for (std::uint32_t s = 0; s < circle.states; ++s) {
    if (s == circle.initial) continue;
    for (const automata::Transition& candidate : circle.transitions) {
      if (candidate.to != circle.initial) continue;
      const automata::Guard guard = candidate.target;
      const bool twins = std::all_of(circle.transitions.begin(), circle.transitions.end(), [&](const auto& t) {
        return t.to != s || std::any_of(circle.transitions.begin(), circle.transitions.end(), [&](const auto& u) {
                 return u.to == circle.initial && u.from == t.from && u.step == t.step &&
                        automata::implies(t.source, u.source) && automata::implies(guard, u.target);
               });
      });
      if (twins) also_end[s] = guard;
    }
  }
}

void Views::update(EventId e) {
  const Event& event = graph_[e];
  const std::size_t width = graph_.thread_capacity();
  const unsigned views = graph_.view_count();
  std::uint32_t* const own = graph_.views_of(e);
  if (event.index > 0)
    copy(own, graph_.views_of(graph_.events_of(event.thread)[event.index - 1]), width * views);
  else
    std::fill_n(own, width * views, 0u);
  const std::uint32_t count = event.index + 1;
  for (std::uint32_t *at = own + event.thread, *end = own + width * views; at < end; at += width) *at = count;
  const bool waits = event.kind == graph::EventKind::begin || event.kind == graph::EventKind::join;
  const EventId other = event.kind == graph::EventKind::read ? event.reads_from : waits ? event.partner : no_event;
  if (other != no_event && graph_[other].thread != graph::no_thread) join(own, graph_.views_of(other), width);
  if (waits && other != no_event) {
    const bool begins = event.kind == graph::EventKind::begin;
    for (unsigned v = 1; v < views; ++v)
      if (begins ? tables_[v].created : tables_[v].joined)
        join(own + v * width, graph_.views_of(other) + v * width, width);
  }
  for (unsigned v = 1; v < views; ++v)
    if (event.labels & ends_of_words_[v]) walk(tables_[v], v, e);
}

void Views::walk(const BackwardTable& table, unsigned view_number, EventId e) {
  const std::size_t needed = graph_.event_capacity() * table.states;
  if (visited_.size() < needed) {
    visited_.resize(needed + needed / 2);
    stack_.resize(visited_.size() + 1);
  }
  if (++search_ == 0) {
    std::fill(visited_.begin(), visited_.end(), 0);
    search_ = 1;
  }
  const graph::View view = graph_.view(view_number, e);
  std::uint32_t* top = stack_.data();
  *top++ = e * table.states + table.initial;
  while (top != stack_.data()) {
    const std::uint32_t pair = *--top;
    const EventId x = pair / table.states;
    const std::uint32_t s = pair % table.states;
    const graph::Labels labels = graph_[x].labels;
    for (std::uint32_t i = table.first[s]; i < table.first[s + 1]; ++i) {
      const Row& row = table.rows[i];
      if (!row.target.holds(labels)) continue;
      visit_neighbours(graph_, row.step, x, [&](EventId y) {
        if (graph_[y].thread == graph::no_thread || !row.source.holds(graph_[y].labels)) return;
        const bool inside = graph_.contains(view, y);
        if (row.from == table.initial) {
          if (!inside) join(view.data(), graph_.view(view_number, y).data(), view.size());
          return;
        }
        if (inside && table.only_program_order[row.from]) return;
        if (inside && table.also_end[row.from] && table.also_end[row.from]->holds(graph_[y].labels)) return;
        const std::uint32_t next = y * table.states + row.from;
        if (visited_[next] == search_) return;
        visited_[next] = search_;
        *top++ = next;
      });
    }
  }
}

}  // namespace heddle::consistency
