// Soundness, by trying to break it: whatever the prover says about random expressions must hold in random graphs. The
// graphs are built event by event, as the explorer does but without any model, so that they contain every kind of
// incoherence; the evaluator of small graphs is itself compared with the one of the checker.
#include <gtest/gtest.h>

#include <random>

#include "consistency/check_full.h"
#include "consistency/test_graphs.h"
#include "prover/extensibility.h"
#include "prover/implication.h"
#include "prover/print_graph.h"
#include "prover/test_support.h"
#include "relation/print_expression.h"

namespace heddle::prover::test {
namespace {

using namespace heddle::graph;
using namespace heddle::consistency::test;

class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : graph(1), random_(seed) {
    const unsigned threads = 1 + pick(3), locations = 1 + pick(2);
    for (unsigned t = 0; t < threads; ++t) graph.add_thread();
    for (unsigned l = 0; l < locations; ++l) graph.add_location(0x1000 + 8 * l, 8, {});
    begun_.assign(threads, pick(2) == 0);  // threads may also be there from the start
    ended_.assign(threads, no_event);
    begun_[0] = true;
    for (unsigned steps = 3 + pick(9); steps > 0; --steps) step();
  }

  ExecutionGraph graph;

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

 private:
  void step() {
    const ThreadId t = pick(static_cast<unsigned>(begun_.size()));
    if (ended_[t] != no_event) return;
    if (!begun_[t]) {
      if (ended_[0] != no_event) return;
      const EventId create = graph.add_event(0, make_event(EventKind::create, label_create));
      graph.make_partners(graph.add_event(t, make_event(EventKind::begin, label_begin)), create);
      begun_[t] = true;
      return;
    }
    constexpr MemoryOrder orders[] = {plain, relaxed, release, acquire, acquire_release, seq_cst, seq_cst};
    const MemoryOrder order = orders[pick(7)];
    const LocationId location = pick(static_cast<unsigned>(graph.location_count()));
    switch (pick(12)) {
      case 0:
      case 1:
      case 2:
      case 3: {
        const Labels extra = pick(6) == 0 ? Labels{label_exclusive_read} : 0;
        read(graph.add_event(t, make_event(EventKind::read, read_labels(order) | extra, location)));
        return;
      }
      case 4:
      case 5:
      case 6:
      case 7:
        place(graph.add_event(t, make_event(EventKind::write, write_labels(order), location)), random_place(location));
        return;
      case 8: return update(t, order == plain ? seq_cst : order, location);
      case 9: graph.add_event(t, make_event(EventKind::fence, fence_labels(order < acquire ? seq_cst : order))); return;
      case 10: graph.add_event(t, make_event(EventKind::other, label_other)); return;
      default:
        if (t != 0) {
          ended_[t] = graph.add_event(t, make_event(EventKind::finish, label_finish));
        } else {
          for (ThreadId u = 1; u < begun_.size(); ++u) {
            if (ended_[u] == no_event || graph[ended_[u]].partner != no_event) continue;
            graph.make_partners(graph.add_event(0, make_event(EventKind::join, label_join)), ended_[u]);
            return;
          }
        }
    }
  }

  bool splits_update(EventId w) const {
    const EventId next = graph[w].next_write;
    return next != no_event && (graph[next].labels & label_rmw_write) && graph[graph[next].partner].reads_from == w;
  }

  EventId random_place(LocationId location) {
    std::vector<EventId> places;
    for (EventId w = graph.location(location).initial; w != no_event; w = graph[w].next_write) {
      if (!splits_update(w)) places.push_back(w);
    }
    return places[pick(static_cast<unsigned>(places.size()))];
  }

  void place(EventId w, EventId after) { graph.place_write(w, after); }

  void read(EventId r) {
    std::vector<EventId> writes;
    for (EventId w = graph.location(graph[r].location).initial; w != no_event; w = graph[w].next_write)
      writes.push_back(w);
    graph.set_source(r, writes[pick(static_cast<unsigned>(writes.size()))]);
  }

  void update(ThreadId t, MemoryOrder order, LocationId location) {
    const EventId source = random_place(location);
    const EventId r = graph.add_event(t, make_event(EventKind::read, rmw_read_labels(order), location));
    graph.set_source(r, source);
    const EventId w = graph.add_event(t, make_event(EventKind::write, rmw_write_labels(order), location));
    graph.make_partners(r, w);
    place(w, source);
  }

  std::mt19937 random_;
  std::vector<bool> begun_;
  std::vector<EventId> ended_;
};

SmallGraph convert(const ExecutionGraph& graph) {
  std::vector<EventId> events;
  std::vector<int> number(graph.event_capacity(), SmallGraph::none);
  for (LocationId l = 0; l < graph.location_count(); ++l) events.push_back(graph.location(l).initial);
  for (ThreadId t = 0; t < graph.thread_count(); ++t) {
    for (EventId e : graph.events_of(t)) events.push_back(e);
  }
  for (std::size_t i = 0; i < events.size(); ++i) number[events[i]] = static_cast<int>(i);
  SmallGraph result;
  for (EventId e : events) {
    const Event& event = graph[e];
    SmallGraph::Event next{.labels = event.labels};
    if (event.thread != no_thread) next.thread = static_cast<int>(event.thread);
    next.index = static_cast<int>(event.index);
    if (event.location != no_location) next.location = static_cast<int>(event.location);
    if (event.reads_from != no_event) next.reads_from = number[event.reads_from];
    for (EventId w = event.previous_write; w != no_event; w = graph[w].previous_write) ++next.place;
    if (event.partner != no_event) next.partner = number[event.partner];
    result.events.push_back(next);
  }
  return result;
}

const std::vector<SmallGraph>& pool() {
  static const std::vector<SmallGraph> graphs = [] {
    std::vector<SmallGraph> result;
    for (unsigned seed = 1; seed <= 300; ++seed) result.push_back(convert(RandomGraph(seed).graph));
    return result;
  }();
  return graphs;
}

class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : random_(seed) {}

  std::string expression(unsigned depth) {
    if (depth == 0 || pick(4) == 0) return leaf();
    switch (pick(8)) {
      case 0:
      case 1:
      case 2: return "(" + expression(depth - 1) + " ; " + expression(depth - 1) + ")";
      case 3:
      case 4: return "(" + expression(depth - 1) + " | " + expression(depth - 1) + ")";
      case 5: return expression(depth - 1) + "+";
      case 6: return expression(depth - 1) + "?";
      default: return pick(3) == 0 ? expression(depth - 1) + "^-1" : expression(depth - 1) + "*";
    }
  }

  // Like the first one, with parts exchanged for others that are often larger or smaller.
  std::string relative_of(std::string text) {
    static const std::pair<const char*, const char*> exchanges[] = {{"po-loc", "po"},
                                                                    {"po-imm", "po"},
                                                                    {"rfe", "rf"},
                                                                    {"rfi", "po"},
                                                                    {"coe", "co"},
                                                                    {"co-imm", "co"},
                                                                    {"fre", "fr"},
                                                                    {"fri", "fr"},
                                                                    {"rmw", "po-imm"},
                                                                    {"co", "loc"},
                                                                    {"rf", "loc"},
                                                                    {"fr", "rf^-1 ; co"},
                                                                    {"co", "(co | rf ; fr)"},
                                                                    {"rf ; fr", "co"},
                                                                    {"fr ; co", "fr"},
                                                                    {"po", "po+"},
                                                                    {"[SC]", "[ACQ | REL]"},
                                                                    {"[UR]", "[R]"},
                                                                    {"rfi", "po-loc"},
                                                                    {"rmw", "po-loc"}};
    for (unsigned n = pick(4); n > 0; --n) {
      const auto& [from, to] = exchanges[pick(std::size(exchanges))];
      const std::size_t at = text.find(from);
      if (at == std::string::npos) continue;
      const char next = at + std::string(from).size() < text.size() ? text[at + std::string(from).size()] : ' ';
      if (std::isalnum(next) || next == '-') continue;
      if (text.substr(at).starts_with("po \\")) continue;  // only po itself may stand there
      text.replace(at, std::string(from).size(), "(" + std::string(to) + ")");
    }
    return pick(2) == 0 ? text : "(" + text + " | " + expression(1) + ")" + (pick(2) == 0 ? "+" : "");
  }

  std::string kind() {
    static const char* kinds[] = {"acyclic ", "acyclic ", "irreflexive ", "irreflexive ", "empty "};
    return kinds[pick(5)];
  }
  std::string claim() { return kind() + expression(3); }

  unsigned pick(std::size_t n) { return static_cast<unsigned>(random_() % n); }

 private:
  std::string leaf() {
    static const char* steps[] = {"po",  "po",  "po-loc", "po-imm", "(po \\ loc)", "rf",     "rf",     "rfe",
                                  "rfi", "co",  "co",     "coe",    "coi",         "co-imm", "fr",     "fr",
                                  "fre", "fri", "rmw",    "tc",     "tj",          "loc",    "fr-imm", "rf^-1"};
    static const char* sets[] = {"R", "W", "F", "SC", "ACQ", "REL", "NA", "AT", "UR", "UW", "IW", "RX", "W & SC"};
    if (pick(6) == 0) return "[" + std::string(sets[pick(std::size(sets))]) + "]";
    return steps[pick(std::size(steps))];
  }

  std::mt19937 random_;
};

bool all_hold(const std::vector<Claim>& claims, const SmallGraph& graph) {
  return std::all_of(claims.begin(), claims.end(),
                     [&](const Claim& claim) { return holds(claim.kind, *claim.relation, graph); });
}

TEST(RandomGraphs, EvaluatorsAgree) {
  RandomExpressions random(1);
  unsigned forbidden = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const RandomGraph graph(seed);
    const std::string text = random.claim();
    const Result<consistency::Model> loaded = consistency::Model::parse(text, "test.kat");
    ASSERT_TRUE(loaded) << text;
    const bool allowed = consistency::allowed(*loaded, graph.graph, nullptr);
    const SmallGraph small = convert(graph.graph);
    ASSERT_TRUE(well_formed(small));
    EXPECT_EQ(allowed, all_hold(claims_of(model(text)), small)) << text << "\n" << print_graph(small);
    if (!allowed) ++forbidden;
  }
  EXPECT_GT(forbidden, 50u);
}

TEST(RandomGraphs, LabelsArePossible) {
  for (const SmallGraph& graph : pool()) {
    for (const SmallGraph::Event& event : graph.events) {
      const Labels known = event.labels & ~Labels{label_other};
      EXPECT_TRUE(possible_labels(known)) << known;
    }
  }
}

// Graphs of the pool in which the theory of coherence applies.
bool coherent(const SmallGraph& graph) { return all_hold(claims_of(model("acyclic po-loc | rf | co | fr")), graph); }

void check_inclusions(unsigned seed, unsigned count, bool with_coherence) {
  RandomExpressions random(seed);
  std::vector<const SmallGraph*> graphs;
  for (const SmallGraph& graph : pool()) {
    if (!with_coherence || coherent(graph)) graphs.push_back(&graph);
  }
  ASSERT_GT(graphs.size(), 50u);
  unsigned proved = 0, witnessed = 0;
  for (unsigned i = 0; i < count; ++i) {
    const std::string left = random.expression(3);
    const std::string right = i % 3 == 0 ? random.expression(3) : random.relative_of(left);
    const auto e1 = expression(left), e2 = expression(right);
    const InclusionResult result = included(*e1, *e2, {true, with_coherence}, {.nodes = 3000});
    if (result.answer != Answer::yes) continue;
    ++proved;
    bool any = false;
    for (const SmallGraph* graph : graphs) {
      const Pairs pairs = evaluate(*e1, *graph);
      any = any || !pairs.empty();
      ASSERT_TRUE((pairs - evaluate(*e2, *graph)).empty()) << left << " <= " << right << "\n" << print_graph(*graph);
    }
    witnessed += any;
  }
  EXPECT_GT(proved, count / 10);
  EXPECT_GT(witnessed, count / 20);
}

TEST(RandomGraphs, ProvedInclusionsHold) { check_inclusions(2, 500, false); }
TEST(RandomGraphs, ProvedInclusionsHoldWithCoherence) { check_inclusions(3, 500, true); }

TEST(RandomGraphs, ProvedImplicationsHold) {
  RandomExpressions random(4);
  unsigned proved = 0, useful = 0;
  for (unsigned i = 0; i < 200; ++i) {
    const std::string first = random.expression(3);
    std::string strong = random.kind() + first, weak = random.claim();
    if (i % 2 == 0) weak = random.kind() + first, strong = random.kind() + random.relative_of(first);
    if (i % 3 == 0) strong += "\nacyclic po-loc | rf | co | fr";
    const std::vector<Claim> assumptions = claims_of(model(strong));
    const Claim claim = claims_of(model(weak)).at(0);
    const Verdict verdict = prove(claim, assumptions, {.look_for_graph = false, .limits = {300}});
    if (verdict.status != Status::proved) continue;
    ++proved;
    bool any = false;
    for (const SmallGraph& graph : pool()) {
      const bool kept = holds(claim.kind, *claim.relation, graph);
      any = any || !kept;
      ASSERT_TRUE(kept || !all_hold(assumptions, graph)) << strong << "\nimplies\n"
                                                         << weak << "\n"
                                                         << print_graph(graph);
    }
    useful += any;
  }
  EXPECT_GT(proved, 30u);
  EXPECT_GT(useful, 10u);
}

// Adds an event in the newest way.
SmallGraph extended(SmallGraph graph, std::mt19937& random) {
  std::vector<int> last(8, 0), newest(8, SmallGraph::none);
  int threads = 0, locations = 0;
  for (std::size_t i = 0; i < graph.events.size(); ++i) {
    const SmallGraph::Event& event = graph.events[i];
    if (event.thread >= 0) {
      threads = std::max(threads, event.thread + 1);
      last[event.thread] = std::max(last[event.thread], event.index + 1);
    }
    locations = std::max(locations, event.location + 1);
    if (!(event.labels & label_write)) continue;
    int& write = newest[event.location];
    if (write == SmallGraph::none || graph.events[write].place < event.place) write = static_cast<int>(i);
  }
  constexpr MemoryOrder orders[] = {plain, relaxed, acquire_release, seq_cst};
  const MemoryOrder order = orders[random() % 4];
  SmallGraph::Event event;
  event.thread = static_cast<int>(random() % (threads + 1));
  event.index = last[event.thread];
  const int location = static_cast<int>(random() % locations);
  switch (random() % 4) {
    case 0: event.labels = fence_labels(order); break;
    case 1:
      event.labels = read_labels(order);
      event.location = location;
      event.reads_from = newest[location];
      break;
    default:
      event.labels = write_labels(order);
      event.location = location;
      event.place = graph.events[newest[location]].place + 1;
  }
  graph.events.push_back(event);
  return graph;
}

TEST(RandomGraphs, ExtensibleModelsCanBeExtended) {
  RandomExpressions random(5);
  std::mt19937 choice(6);
  unsigned proved = 0, refused = 0;
  for (unsigned i = 0; i < 200; ++i) {
    const std::string text = random.claim();
    std::vector<Claim> claims = claims_of(model(text));
    const Claim claim = claims[0];
    for (const Claim& more : built_in_claims()) claims.push_back(more);
    claims.push_back(causally_acyclic());
    const InclusionResult result = extensible(claim, claims, {.nodes = 2000});
    if (result.answer == Answer::no) ++refused;
    if (result.answer != Answer::yes) continue;
    ++proved;
    for (const SmallGraph& graph : pool()) {
      if (!holds(claim.kind, *claim.relation, graph)) continue;
      const SmallGraph larger = extended(graph, choice);
      ASSERT_TRUE(holds(claim.kind, *claim.relation, larger)) << text << "\n" << print_graph(larger);
    }
  }
  EXPECT_GT(proved, 25u);
  EXPECT_GT(refused, 25u);
}

}  // namespace
}  // namespace heddle::prover::test
