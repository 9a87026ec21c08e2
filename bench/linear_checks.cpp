// What bench/linear measures: consistency checks on one graph of a given size.
//
//   linear_checks MODEL.kat EVENTS CHECKS table|native random|oldest [no-filter]
//
// The graph is an interleaving of 4 threads with 64 locations: reads, writes, updates and fences of all orders, each
// event maximal, which costs no check. Then reads are added at the ends of threads, each from an older write (any that
// coherence allows, or the oldest of these), checked, and taken away again. Prints how many were allowed.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "consistency/native/generator.h"
#include "consistency/test_graphs.h"

namespace {

using namespace heddle::consistency;
using namespace heddle::consistency::test;

constexpr unsigned threads = 4, locations = 64;

class Builder {
 public:
  Builder(const Model& model, CodeGenerator* generator, bool filter)
      : graph_(model.view_count()), checker_(model, graph_, {}, filter, NativeOptions{generator, 0, 0}) {
    for (unsigned t = 0; t < threads; ++t) graph_.add_thread();
    for (unsigned l = 0; l < locations; ++l) graph_.add_location(0x1000 + 8 * l, 8, {});
  }

  void add(unsigned count) {
    for (unsigned done = 0; done < count; ++done) {
      const ThreadId t = pick(threads);
      const LocationId location = pick(locations);
      const unsigned kind = pick(40);
      if (kind == 0) {
        checker_.update_views(graph_.add_event(t, make_event(EventKind::fence, fence_labels(fence_order()))));
      } else if (kind <= 2) {
        const EventId r = read(t, location, rmw_read_labels(order()), graph_.location(location).last_write);
        const EventId w = graph_.add_event(t, make_event(EventKind::write, rmw_write_labels(order()), location));
        graph_.make_partners(r, w);
        place(w);
        ++done;
      } else if (kind < 20) {
        place(graph_.add_event(t, make_event(EventKind::write, write_labels(order()), location)));
      } else {
        read(t, location, read_labels(order()), graph_.location(location).last_write);
      }
    }
  }

  unsigned check(unsigned count, bool oldest) {
    unsigned allowed = 0;
    std::vector<EventId> sources;
    for (unsigned done = 0; done < count;) {
      const ThreadId t = pick(threads);
      const LocationId location = pick(locations);
      const EventId r = graph_.add_event(t, make_event(EventKind::read, read_labels(seq_cst), location));
      checker_.coherent_sources(r, sources);
      if (sources.size() > 1) {  // the newest needs no check
        const std::size_t choice = oldest ? sources.size() - 1 : 1 + pick(static_cast<unsigned>(sources.size()) - 1);
        graph_.set_source(r, sources[choice]);
        checker_.update_views(r);
        if (checker_.consistent(r)) ++allowed;
        graph_.clear_source(r);
        ++done;
      }
      graph_.remove_last_event(t);
    }
    return allowed;
  }

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }
  heddle::MemoryOrder order() {
    constexpr heddle::MemoryOrder orders[] = {relaxed, relaxed, relaxed,         relaxed,
                                              relaxed, relaxed, acquire_release, seq_cst};
    return orders[pick(8)];  // little synchronisation: old writes stay readable
  }
  heddle::MemoryOrder fence_order() { return pick(2) ? seq_cst : acquire_release; }

  EventId read(ThreadId t, LocationId location, Labels labels, EventId source) {
    const EventId r = graph_.add_event(t, make_event(EventKind::read, labels, location));
    graph_.set_source(r, source);
    checker_.update_views(r);
    return r;
  }
  void place(EventId w) {
    checker_.update_views(w);
    graph_.place_write(w, graph_.location(graph_[w].location).last_write);
  }

  std::mt19937 random_{1};
  ExecutionGraph graph_;
  Checker checker_;
};

}  // namespace

int main(int count, char** values) {
  if (count < 6)
    return std::fputs("linear_checks MODEL EVENTS CHECKS table|native random|oldest [no-filter]\n", stderr), 2;
  const heddle::Result<Model> model = Model::load(values[1]);
  if (!model) return std::fputs("linear_checks: the model cannot be loaded\n", stderr), 3;
  native::Generator generator(nullptr);
  Builder builder(*model, std::string(values[4]) == "native" ? &generator : nullptr,
                  count < 7 || std::string(values[6]) != "no-filter");
  builder.add(static_cast<unsigned>(std::atoi(values[2])));
  const unsigned checks = static_cast<unsigned>(std::atoi(values[3]));
  const bool oldest = std::string(values[5]) == "oldest";
  builder.check(1, oldest);  // makes the code, if there is to be any
  const unsigned allowed = builder.check(checks, oldest);
  std::printf("%u of %u allowed\n", allowed, checks);
  return 0;
}
