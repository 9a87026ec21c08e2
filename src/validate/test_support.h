// Recorded errors, and how to damage them: every mutant says something that is not true of the program, the model or
// the error, so the validator has to refuse it. Changes that may lead to another legal execution with the same error
// are left out; where one is, the comment says why.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "bytecode/recorded_execution.h"

namespace heddle::validate {

struct Mutant {
  std::string kind;
  bytecode::Violation violation;
};

class Mutator {
 public:
  explicit Mutator(const bytecode::Violation& original) : original_(original) {}

  std::vector<Mutant> all() {
    const std::size_t count = original_.execution.events.size();
    for (std::uint32_t e = 0; e < count; ++e) {
      mutate_event(e);
      mutate_source(e);
      mutate_place(e);
      drop(e);
      swap_with_next(e);
    }
    mutate_claim();
    mutate_tables();
    return std::move(mutants_);
  }

 private:
  using Event = bytecode::RecordedEvent;
  using Kind = bytecode::RecordedKind;
  using Violation = bytecode::Violation;

  const std::vector<Event>& events() const { return original_.execution.events; }
  bool is_access(std::uint32_t e) const { return events()[e].kind == Kind::read || events()[e].kind == Kind::write; }

  void add(const std::string& kind, const std::function<void(Violation&)>& change) {
    mutants_.push_back({kind, original_});
    change(mutants_.back().violation);
  }
  void add_to_event(const std::string& kind, std::uint32_t e, const std::function<void(Event&)>& change) {
    add(kind, [&](Violation& v) { change(v.execution.events[e]); });
  }

  void mutate_event(std::uint32_t e) {
    const Event& event = events()[e];
    add_to_event("kind of an event", e, [](Event& x) { x.kind = x.kind == Kind::fence ? Kind::other : Kind::fence; });
    add_to_event("position of an event", e, [](Event& x) { ++x.position.instruction; });
    add_to_event("function of an event", e, [](Event& x) { ++x.position.function; });
    add_to_event("thread of an event", e, [](Event& x) { ++x.thread; });
    add_to_event("index of an event", e, [](Event& x) { ++x.index; });
    add_to_event("memory order", e, [](Event& x) {
      x.order = x.order == MemoryOrder::seq_cst ? MemoryOrder::plain : MemoryOrder::seq_cst;
    });
    add_to_event("exclusive", e, [](Event& x) { x.exclusive = !x.exclusive; });
    add_to_event("part of a call", e, [](Event& x) {
      x.access = x.access == bytecode::AccessKind::rmw ? bytecode::AccessKind::ordinary : bytecode::AccessKind::rmw;
    });
    add_to_event("other thread", e, [](Event& x) { ++x.other_thread; });
    add_to_event("object of an event", e, [](Event& x) { ++x.object; });
    if (event.kind == Kind::choice) {  // another value of the choice may well be possible
      add_to_event("value of a choice", e, [](Event& x) { x.value.low = std::uint64_t{1} << 62; });
    } else {
      const std::string of = event.kind == Kind::read    ? "value read"
                             : event.kind == Kind::write ? "value written"
                                                         : "value of another event";
      add_to_event(of, e, [](Event& x) { ++x.value.low; });
      add_to_event(of, e, [](Event& x) { x.value.high ^= 1; });
    }
    add_to_event("address of an event", e, [](Event& x) { x.address += 64; });
    add_to_event("size of an event", e, [](Event& x) { x.size = x.size == 4 ? 8 : 4; });
  }

  void mutate_source(std::uint32_t e) {
    const Event& event = events()[e];
    if (event.kind != Kind::read) {
      add_to_event("source of what is no read", e, [](Event& x) { x.reads_from = bytecode::initial_write; });
      return;
    }
    add_to_event("no source", e, [](Event& x) { x.reads_from.reset(); });
    add_to_event("source that does not exist", e, [&](Event& x) { x.reads_from = std::uint32_t(events().size()); });
    add_to_event("source that is no write", e, [&](Event& x) { x.reads_from = e; });
    // A source of the same value may be as good. One of another value is not: the value is recorded as it was.
    for (std::uint32_t w = 0; w < events().size(); ++w) {
      const Event& write = events()[w];
      if (write.kind != Kind::write || w == event.reads_from) continue;
      const bool same_place = write.address == event.address && write.size == event.size;
      if (!same_place)
        add_to_event("source of another location", e, [&](Event& x) { x.reads_from = w; });
      else if (!(write.value == event.value))
        add_to_event("source of another value", e, [&](Event& x) { x.reads_from = w; });
      if (same_place && write.thread == event.thread && write.index > event.index) {
        add_to_event("source in the thread's future", e, [&](Event& x) {
          x.reads_from = w;
          x.value = write.value;
        });
      }
    }
    if (*event.reads_from != bytecode::initial_write && (event.value.low | event.value.high) != 0)
      add_to_event("initial source", e,
                   [&](Event& x) { x.reads_from = bytecode::initial_write; });  // globals start as 0
  }

  void mutate_place(std::uint32_t e) {
    const Event& event = events()[e];
    add_to_event("place beyond the end of coherence", e, [](Event& x) { x.coherence_rank += 100; });
    if (event.kind != Kind::write) return;
    add_to_event("place before the initial write", e, [](Event& x) { x.coherence_rank = 0; });
    for (std::uint32_t w = 0; w < events().size(); ++w) {
      const Event& other = events()[w];
      if (w == e || other.kind != Kind::write || other.address != event.address) continue;
      add_to_event("two writes at one place", e, [&](Event& x) { x.coherence_rank = other.coherence_rank; });
      // Two writes of different threads may come in either order; those of one thread or of an update may not.
      if (w > e && (other.thread == event.thread || event.exclusive || other.exclusive)) {
        add("order of coherence", [&](Violation& v) {
          std::swap(v.execution.events[e].coherence_rank, v.execution.events[w].coherence_rank);
        });
      }
    }
  }

  bool is_last(std::uint32_t e) const {
    return std::none_of(events().begin(), events().end(),
                        [&](const Event& x) { return x.thread == events()[e].thread && x.index > events()[e].index; });
  }
  std::uint32_t next_in_thread(std::uint32_t e) const {
    for (std::uint32_t n = e + 1; n < events().size(); ++n)
      if (events()[n].thread == events()[e].thread && events()[n].index == events()[e].index + 1) return n;
    return e;
  }
  bool look_alike(const Event& a, const Event& b) const {
    return a.kind == b.kind && a.position == b.position && a.address == b.address && a.value == b.value &&
           a.order == b.order && a.access == b.access && a.object == b.object && a.other_thread == b.other_thread;
  }

  // Without the last event of a thread, what is left may be the beginning of the same execution.
  void drop(std::uint32_t e) {
    if (is_last(e)) return;
    const std::uint32_t next = next_in_thread(e);
    if (look_alike(events()[e], events()[next])) return;
    add("event that is missing", [&](Violation& v) {
      const Event gone = v.execution.events[e];
      v.execution.events.erase(v.execution.events.begin() + e);
      const auto renumber = [&](std::uint32_t& x) { x = x == bytecode::initial_write || x < e ? x : x - 1; };
      for (Event& x : v.execution.events) {
        if (x.thread == gone.thread && x.index > gone.index) --x.index;
        if (x.reads_from) renumber(*x.reads_from);
        if (gone.kind == Kind::write && x.address == gone.address && x.coherence_rank > gone.coherence_rank)
          --x.coherence_rank;
      }
      for (std::uint32_t& x : v.events) renumber(x);
    });
  }

  void swap_with_next(std::uint32_t e) {
    const std::uint32_t next = next_in_thread(e);
    if (next == e || look_alike(events()[e], events()[next])) return;
    add("two events in the wrong order", [&](Violation& v) {
      Event& a = v.execution.events[e];
      Event& b = v.execution.events[next];
      std::swap(a, b);
      std::swap(a.index, b.index);
      for (Event& x : v.execution.events) {
        if (x.reads_from == e)
          x.reads_from = next;
        else if (x.reads_from == next)
          x.reads_from = e;
      }
      for (std::uint32_t& x : v.events) x = x == e ? next : x == next ? e : x;
    });
  }

  void mutate_claim() {
    for (int kind = 0; kind <= static_cast<int>(bytecode::ErrorKind::memory_leak); ++kind) {
      if (kind == static_cast<int>(original_.kind)) continue;
      add("kind of the error", [&](Violation& v) { v.kind = static_cast<bytecode::ErrorKind>(kind); });
    }
    add("position of the error", [](Violation& v) { ++v.position.instruction; });
    add("function of the error", [](Violation& v) { ++v.position.function; });
    for (std::uint32_t t = 0; t <= original_.execution.threads.size(); ++t) {
      if (t != original_.thread) add("thread of the error", [&](Violation& v) { v.thread = t; });
    }
    add("address of the error", [](Violation& v) { v.address += 8; });
    add("size of the error", [](Violation& v) { ++v.size; });
    add("events of the error", [](Violation& v) { v.events.push_back(0); });
    if (!original_.events.empty()) {
      // Which of two accesses comes first is no matter if they stand at the same place; the others are told apart.
      add("events of the error", [](Violation& v) { v.events[0] = 0xfffffff0; });
      add("events of the error", [&](Violation& v) { v.events.back() = v.events.back() == 0 ? 1 : 0; });
    }
    for (std::size_t w = 0; w < original_.waits.size(); ++w) {
      add("who waits", [&](Violation& v) { ++v.waits[w].thread; });
      add("what is waited for", [&](Violation& v) { v.waits[w].address += 8; });
      add("what is waited for", [&](Violation& v) { v.waits[w].other_thread = 77; });
      add("what is waited for", [&](Violation& v) { ++v.waits[w].position.instruction; });
      add("who waits", [&](Violation& v) { v.waits.erase(v.waits.begin() + static_cast<std::ptrdiff_t>(w)); });
    }
  }

  void mutate_tables() {
    for (std::size_t o = 0; o < original_.execution.objects.size(); ++o) {
      const auto object = [&](const std::function<void(bytecode::RecordedObject&)>& change) {
        add("object", [&](Violation& v) { change(v.execution.objects[o]); });
      };
      object([](auto& x) { x.address += 16; });
      object([](auto& x) { ++x.size; });
      object([](auto& x) {
        x.kind = x.kind == bytecode::ObjectKind::heap ? bytecode::ObjectKind::stack : bytecode::ObjectKind::heap;
      });
      object([](auto& x) { ++x.thread; });
      object([](auto& x) { ++x.info; });
      object([](auto& x) { ++x.allocated.instruction; });
      object([](auto& x) {
        if (x.released)
          x.released.reset();
        else
          x.released = x.allocated;
      });
      add("object that is missing", [](Violation& v) { v.execution.objects.pop_back(); });
    }
    for (std::size_t t = 0; t < original_.execution.threads.size(); ++t) {
      const auto thread = [&](const std::function<void(bytecode::RecordedThread&)>& change) {
        add("thread", [&](Violation& v) { change(v.execution.threads[t]); });
      };
      thread([](auto& x) { ++x.id; });
      if (t == 0 || original_.execution.threads[t].creator) thread([](auto& x) { ++x.function; });
      thread([](auto& x) { x.creator = x.creator ? std::nullopt : std::optional<std::uint32_t>(0); });
      if (original_.execution.threads[t].creator) thread([](auto& x) { ++x.created.instruction; });
    }
    add("object that does not exist", [](Violation& v) { v.execution.objects.emplace_back(); });
    add("no threads", [](Violation& v) { v.execution.threads.clear(); });
  }

  const bytecode::Violation& original_;
  std::vector<Mutant> mutants_;
};

}  // namespace heddle::validate
