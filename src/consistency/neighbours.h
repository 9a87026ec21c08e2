// The events that one step of an automaton leads to. Inlined into the checker's loops.
//
// Initial writes belong to no thread: they take part in rf, co, fr and loc, never in po or views.
#pragma once

#include "automata/nfa.h"
#include "graph/execution_graph.h"

namespace heddle::consistency {

using automata::Step;
using automata::StepKind;
using graph::Event;
using graph::EventId;
using graph::ExecutionGraph;
using graph::no_event;

// Index in thread t of the first event after e whose view contains e (the size of the thread if there is none).
inline std::uint32_t first_that_sees(const ExecutionGraph& g, unsigned view, const Event& e, graph::ThreadId t) {
  const auto list = g.events_of(t);
  std::uint32_t low = t == e.thread ? e.index + 1 : 0, high = static_cast<std::uint32_t>(list.size());
  if (t == e.thread) return low < high ? low : high;
  // Events far down usually see nothing new: most searches end after looking at the last event.
  if (high == 0 || g.view(view, list[high - 1])[e.thread] <= e.index) return high;
  --high;
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (g.view(view, list[middle])[e.thread] > e.index)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

template <class Visit>
inline void visit_readers(const ExecutionGraph& g, EventId w, Visit&& visit) {
  for (EventId r = g[w].first_reader; r != no_event; r = g[r].next_reader) visit(r);
}

template <class Visit>
inline void visit_location(const ExecutionGraph& g, EventId e, Visit&& visit) {
  if (g[e].location == graph::no_location) return;
  for (EventId w = g.location(g[e].location).last_write; w != no_event; w = g[w].previous_write) {
    visit(w);
    visit_readers(g, w, visit);
  }
}

// Events after (or before) e in its thread, filtered by location.
template <class Visit>
inline void visit_thread(const ExecutionGraph& g, EventId e, bool before, bool same, Visit&& visit) {
  const Event& event = g[e];
  if (event.thread == graph::no_thread) return;
  const auto list = g.events_of(event.thread);
  const std::uint32_t from = before ? 0 : event.index + 1;
  const std::uint32_t to = before ? event.index : static_cast<std::uint32_t>(list.size());
  for (std::uint32_t i = from; i < to; ++i) {
    const bool at_location = event.location != graph::no_location && g[list[i]].location == event.location;
    if (at_location == same) visit(list[i]);
  }
}

enum class LocationFilter { any, same, other };

template <class Visit>
inline void visit_view(const ExecutionGraph& g, Step step, EventId e, LocationFilter filter, Visit&& visit) {
  const Event& event = g[e];
  if (event.thread == graph::no_thread) return;
  const graph::ConstView own = g.view(step.view, e);
  for (graph::ThreadId t = 0; t < g.thread_count(); ++t) {
    const auto list = g.events_of(t);
    std::uint32_t from = 0, to = static_cast<std::uint32_t>(list.size());
    if (step.inverse)
      to = t == event.thread ? event.index : own[t];
    else
      from = first_that_sees(g, step.view, event, t);
    for (std::uint32_t i = from; i < to; ++i) {
      const bool same = event.location != graph::no_location && g[list[i]].location == event.location;
      if (filter == LocationFilter::any || same == (filter == LocationFilter::same)) visit(list[i]);
    }
  }
}

template <class Visit>
inline void visit_neighbours(const ExecutionGraph& g, Step step, EventId e, Visit&& visit) {
  const Event& event = g[e];
  const auto one = [&](EventId x) {
    if (x != no_event) visit(x);
  };
  const auto external = [&](EventId x) {
    if (g[x].thread != event.thread) visit(x);
  };
  const auto internal = [&](EventId x) {
    if (g[x].thread == event.thread) visit(x);
  };
  const auto is_write = [&] { return (event.labels & graph::label_write) != 0; };
  const auto sources = [&](auto&& each) {
    if ((event.labels & graph::label_read) && event.reads_from != no_event) each(event.reads_from);
  };
  const auto co_neighbours = [&](auto&& each) {
    if (!is_write()) return;
    for (EventId w = step.inverse ? event.previous_write : event.next_write; w != no_event;
         w = step.inverse ? g[w].previous_write : g[w].next_write) {
      each(w);
    }
  };
  const auto fr_neighbours = [&](auto&& each) {
    if (!step.inverse) {
      sources([&](EventId s) {
        for (EventId w = g[s].next_write; w != no_event; w = g[w].next_write) each(w);
      });
    } else if (is_write()) {
      for (EventId w = event.previous_write; w != no_event; w = g[w].previous_write) visit_readers(g, w, each);
    }
  };
  switch (step.kind) {
    case StepKind::po_imm: return one(step.inverse ? g.po_previous(e) : g.po_next(e));
    case StepKind::po_loc: return visit_thread(g, e, step.inverse, true, visit);
    case StepKind::po_other: return visit_thread(g, e, step.inverse, false, visit);
    case StepKind::rf:
      if (step.inverse)
        sources(visit);
      else if (is_write())
        visit_readers(g, e, visit);
      return;
    case StepKind::rfe:
      if (step.inverse)
        sources(external);
      else if (is_write())
        visit_readers(g, e, external);
      return;
    case StepKind::rfi:
      if (step.inverse)
        sources(internal);
      else if (is_write())
        visit_readers(g, e, internal);
      return;
    case StepKind::co_imm:
      if (is_write()) one(step.inverse ? event.previous_write : event.next_write);
      return;
    case StepKind::coe: return co_neighbours(external);
    case StepKind::coi: return co_neighbours(internal);
    case StepKind::fr_imm:
      if (!step.inverse)
        sources([&](EventId s) { one(g[s].next_write); });
      else if (is_write() && event.previous_write != no_event)
        visit_readers(g, event.previous_write, visit);
      return;
    case StepKind::fre: return fr_neighbours(external);
    case StepKind::fri: return fr_neighbours(internal);
    case StepKind::rmw:
      if (event.labels & (step.inverse ? graph::label_rmw_write : graph::label_rmw_read)) one(event.partner);
      return;
    case StepKind::tc:
      if (event.kind == (step.inverse ? graph::EventKind::begin : graph::EventKind::create)) one(event.partner);
      return;
    case StepKind::tj:
      if (event.kind == (step.inverse ? graph::EventKind::join : graph::EventKind::finish)) one(event.partner);
      return;
    case StepKind::loc: return visit_location(g, e, visit);
    case StepKind::view_first:
      if (event.thread == graph::no_thread) return;
      for (graph::ThreadId t = 0; t < g.thread_count(); ++t) {
        const auto list = g.events_of(t);
        if (step.inverse) {
          const std::uint32_t end = t == event.thread ? event.index : g.view(step.view, e)[t];
          if (end > 0) visit(list[end - 1]);
        } else if (const std::uint32_t at = first_that_sees(g, step.view, event, t); at < list.size()) {
          visit(list[at]);
        }
      }
      return;
    case StepKind::view_all: return visit_view(g, step, e, LocationFilter::any, visit);
    case StepKind::view_loc: return visit_view(g, step, e, LocationFilter::same, visit);
    case StepKind::view_other: return visit_view(g, step, e, LocationFilter::other, visit);
  }
}

}  // namespace heddle::consistency
