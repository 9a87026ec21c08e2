// For tests: builds random graphs event by event, with random sources and places, and asks after every step: do all
// checkers say the same as the full evaluation of the model? Steps that the model refuses are taken back, so that the
// graph before every step is consistent, as checkers demand.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "consistency/check_full.h"
#include "consistency/compiled_model.h"
#include "consistency/test_graphs.h"

namespace heddle::consistency::test {

// A further checker to compare: made for a graph and its labels, or null for none.
struct FurtherChecker {
  std::string name;
  std::function<std::unique_ptr<Checker>(const Model&, ExecutionGraph&, std::vector<Labels>)> make;
};

class RandomGraph {
 public:
  RandomGraph(const Model& model, unsigned seed, const std::vector<FurtherChecker>& further = {})
      : model_(model), random_(seed), graph_(model.view_count()) {
    const MemoryOrder all[] = {plain, relaxed, release, acquire, acquire_release, seq_cst};
    for (MemoryOrder order : all) {
      if (pick(2)) orders_.push_back(order);
    }
    if (orders_.empty()) orders_.push_back(seq_cst);
    with_fences_ = pick(2);
    with_rmw_ = pick(2);
    threads_ = 2 + pick(3);
    locations_ = 1 + pick(3);
    for (unsigned t = 0; t < threads_; ++t) graph_.add_thread();
    for (unsigned l = 0; l < locations_; ++l) graph_.add_location(0x1000 + 8 * l, 8, {});
    checkers_.emplace_back("general", std::make_unique<Checker>(model, graph_, std::vector<graph::Labels>{}, false));
    checkers_.emplace_back("special", std::make_unique<Checker>(model, graph_, possible_labels()));
    for (const FurtherChecker& each : further)
      if (auto made = each.make(model, graph_, possible_labels())) checkers_.emplace_back(each.name, std::move(made));
    general_ = checkers_[0].second.get();
    begun_.assign(threads_, no_event);
    ended_.assign(threads_, no_event);
  }

  void run(unsigned steps) {
    begun_[0] = add_plain_event(0, make_event(EventKind::begin, label_begin), no_event);
    for (unsigned i = 0; i < steps && !::testing::Test::HasFatalFailure(); ++i) step();
    check_views();
  }

  bool satisfies(const Model& model, std::string& broken) const { return allowed(model, graph_, &broken); }

  unsigned accepted = 0, refused = 0, races = 0;

 private:
  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  std::vector<Labels> possible_labels() const {
    std::vector<Labels> result{label_create, label_begin, label_finish, label_join};
    for (MemoryOrder order : orders_) {
      result.push_back(read_labels(order));
      result.push_back(write_labels(order));
      result.push_back(read_labels(order) | label_exclusive_read);
      if (with_rmw_ && order != plain) {
        result.push_back(rmw_read_labels(order));
        result.push_back(rmw_write_labels(order));
      }
      if (with_fences_ && order >= acquire) result.push_back(fence_labels(order));
    }
    return result;
  }

  void step() {
    const ThreadId t = pick(threads_);
    if (begun_[t] == no_event) return begin_thread(t);
    if (ended_[t] != no_event) return;
    const MemoryOrder order = orders_[pick(static_cast<unsigned>(orders_.size()))];
    const LocationId location = pick(locations_);
    switch (pick(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
      case 4: {
        const Labels extra = pick(5) == 0 ? Labels{label_exclusive_read} : 0;
        add_read(t, make_event(EventKind::read, read_labels(order) | extra, location));
        return;
      }
      case 5:
      case 6:
      case 7:
      case 8:
      case 9: return add_write(t, make_event(EventKind::write, write_labels(order), location), no_event);
      case 10:
      case 11:
      case 12:
        if (with_rmw_ && order != plain) add_rmw(t, order, location);
        return;
      case 13:
      case 14:
        if (with_fences_ && order >= acquire)
          add_plain_event(t, make_event(EventKind::fence, fence_labels(order)), no_event);
        return;
      default:
        if (t != 0 && pick(3) == 0)
          ended_[t] = add_plain_event(t, make_event(EventKind::finish, label_finish), no_event);
        else if (t == 0)
          join_thread();
    }
  }

  void begin_thread(ThreadId t) {
    const EventId create = add_plain_event(0, make_event(EventKind::create, label_create), no_event);
    begun_[t] = add_plain_event(t, make_event(EventKind::begin, label_begin), create);
  }

  void join_thread() {
    for (ThreadId t = 1; t < threads_; ++t) {
      if (ended_[t] == no_event || graph_[ended_[t]].partner != no_event) continue;
      add_plain_event(0, make_event(EventKind::join, label_join), ended_[t]);
      return;
    }
  }

  EventId add_plain_event(ThreadId t, const Event& event, EventId partner) {
    const EventId e = graph_.add_event(t, event);
    if (partner != no_event) graph_.make_partners(e, partner);
    update(e);
    EXPECT_TRUE(agree(e, true));  // a new event that nothing follows is never refused
    return e;
  }

  void update(EventId e) {
    std::vector<std::uint32_t> expected;
    for (auto& [name, checker] : checkers_) {
      checker->update_views(e);
      const std::uint32_t* views = graph_.views_of(e);
      const std::size_t count = std::size_t{graph_.view_count()} * graph_.thread_capacity();
      if (expected.empty()) expected.assign(views, views + count);
      EXPECT_TRUE(std::equal(expected.begin(), expected.end(), views)) << "views differ: " << name;
    }
  }

  // Compares all answers on whether the graph, with e newest, is allowed; `coherent` is the checker's own part.
  bool agree(EventId e, bool coherent, EventId also = no_event) {
    std::string broken;
    const bool full = allowed(model_, graph_, &broken);
    for (auto& [name, checker] : checkers_) {
      const bool answer = coherent && checker->consistent(e) && (also == no_event || checker->consistent(also));
      EXPECT_EQ(full, answer) << model_.name() << ", " << name << ": " << broken;
    }
    ++(full ? accepted : refused);
    if (full) check_rules(e, also);
    return full;
  }

  using Pairs = std::set<std::pair<EventId, EventId>>;

  Pairs broken_pairs() const {
    Pairs pairs;
    for (const FullViolation& violation : violations(model_, graph_)) pairs.insert({violation.first, violation.second});
    return pairs;
  }

  // A new broken pair may have nothing to do with e but that e is on the way: the checker must say that there is one.
  void check_general_rules(EventId e, EventId also) {
    const Pairs now = broken_pairs();
    const bool more = !std::includes(known_.begin(), known_.end(), now.begin(), now.end());
    const bool less = !std::includes(now.begin(), now.end(), known_.begin(), known_.end());
    EXPECT_TRUE(also != no_event || !less) << "a broken rule was mended";  // by anything but another source of a read
    for (auto& [name, checker] : checkers_) {
      bool found = false;
      for (const EventId event : {e, also}) {
        if (event == no_event) continue;
        const std::optional<RuleViolation> violation = checker->erroneous(event);
        if (!violation) continue;
        found = true;
        EXPECT_TRUE(now.contains({violation->first, violation->second}));
      }
      EXPECT_TRUE(found || !more) << "a broken rule was missed: " << name;
    }
    if (more) ++races;
    known_ = now;
  }

  void check_rules(EventId e, EventId also) {
    for (const CompiledRule& rule : model_.compiled().compiled_rules) {
      if (!rule.view) return check_general_rules(e, also);
    }
    bool expected = false;
    for (const FullViolation& violation : violations(model_, graph_)) {
      if (violation.first == e || violation.second == e) expected = true;
    }
    for (auto& [name, checker] : checkers_) EXPECT_EQ(expected, checker->erroneous(e).has_value()) << name;
    if (expected) ++races;
  }

  EventId random_write(LocationId location) {
    std::vector<EventId> writes;
    for (EventId w = graph_.location(location).initial; w != no_event; w = graph_[w].next_write) writes.push_back(w);
    return writes[pick(static_cast<unsigned>(writes.size()))];
  }

  EventId add_read(ThreadId t, const Event& event) {
    const EventId r = graph_.add_event(t, event), source = random_write(event.location);
    std::vector<EventId> sources;
    general_->coherent_sources(r, sources);
    EXPECT_EQ(sources.front(), graph_.location(event.location).last_write);
    const bool coherent = std::find(sources.begin(), sources.end(), source) != sources.end();
    graph_.set_source(r, source);
    update(r);
    EXPECT_EQ(coherent, general_->coherent_source(r));
    if (agree(r, coherent)) return r;
    graph_.clear_source(r);
    graph_.remove_last_event(t);
    return no_event;
  }

  void add_rmw(ThreadId t, MemoryOrder order, LocationId location) {
    const EventId r = add_read(t, make_event(EventKind::read, rmw_read_labels(order), location));
    if (r == no_event) return;
    add_write(t, make_event(EventKind::write, rmw_write_labels(order), location), r);
    if (graph_.last_of(t) != r) return;
    graph_.clear_source(r);  // its write was refused: take the read back too
    graph_.remove_last_event(t);
    known_ = broken_pairs();
  }

  void add_write(ThreadId t, const Event& event, EventId exclusive_read) {
    const EventId w = graph_.add_event(t, event);
    if (exclusive_read != no_event) graph_.make_partners(exclusive_read, w);
    update(w);
    const EventId place = exclusive_read == no_event ? random_write(event.location) : graph_[exclusive_read].reads_from;
    std::vector<EventId> places;
    general_->coherent_places(w, places);
    EXPECT_EQ(places.front(), graph_.location(event.location).last_write);
    const bool coherent = std::find(places.begin(), places.end(), place) != places.end();
    graph_.place_write(w, place);
    if (agree(w, coherent)) return revisit(w);
    graph_.unplace_write(w);
    graph_.remove_last_event(t);
  }

  // Lets a read that is last in its thread read from the newest write instead.
  void revisit(EventId w) {
    const ThreadId t = pick(threads_);
    const EventId r = graph_.last_of(t);
    if (r == no_event || graph_[r].kind != EventKind::read || graph_[r].location != graph_[w].location) return;
    if (graph_[r].labels & label_rmw_read || graph_.contains(std::as_const(graph_).view(0, w), r)) return;
    const EventId before = graph_[r].reads_from;
    graph_.clear_source(r);
    graph_.set_source(r, w);
    update(r);
    if (agree(r, general_->coherent_source(r), w)) return;
    graph_.clear_source(r);
    graph_.set_source(r, before);
    update(r);
  }

  void check_views() {
    for (ThreadId t = 0; t < threads_; ++t) {
      for (EventId e : graph_.events_of(t)) {
        for (ThreadId u = 0; u < threads_; ++u) {
          for (EventId x : graph_.events_of(u)) {
            ASSERT_EQ(in_view(model_, graph_, "hb", x, e),
                      graph_.contains(std::as_const(graph_).view(model_.view_count() - 1, e), x));
          }
        }
      }
    }
  }

  const Model& model_;
  std::mt19937 random_;
  ExecutionGraph graph_;
  std::vector<MemoryOrder> orders_;
  bool with_fences_ = false, with_rmw_ = false;
  unsigned threads_ = 0, locations_ = 0;
  std::vector<std::pair<std::string, std::unique_ptr<Checker>>> checkers_;
  Checker* general_ = nullptr;  // the first of them
  std::vector<EventId> begun_, ended_;
  Pairs known_;  // broken by general rules before this step
};

inline void explore(const Model& model, unsigned graphs, const std::vector<FurtherChecker>& further = {}) {
  unsigned accepted = 0, refused = 0, races = 0;
  for (unsigned seed = 1; seed <= graphs; ++seed) {
    RandomGraph random(model, seed, further);
    random.run(26);
    accepted += random.accepted;
    refused += random.refused;
    races += random.races;
    ASSERT_FALSE(::testing::Test::HasFailure()) << "seed " << seed;
  }
  ExecutionGraph nothing(model.view_count());
  const bool has_rules = Checker(model, nothing).has_rules();
  EXPECT_GT(accepted, graphs * 3);
  EXPECT_GT(refused, graphs / 4);
  EXPECT_EQ(races > 0, has_rules);
}

inline constexpr const char* usual_views = "let sw = [REL] ; rf ; [ACQ]\nview hb = (po | sw | tc | tj)+\n";

// Models that exist only to reach every kind of step and constraint: what follows the views, of which the last is hb.
struct OddModel {
  const char* name;
  std::vector<const char*> constraints;
  bool coherence = true;
  const char* views = usual_views;
};

inline const std::vector<OddModel>& odd_models() {
  static const std::vector<OddModel> models = {
      {"InnerCycles",
       {"let eco = (rf | co | fr)+\nacyclic [SC] ; po ; eco ; [SC] | [F] ; eco? ; hb ; [F]",
        "acyclic [SC] ; (po ; fr ; rf)* ; po ; [R] ; fr ; [SC]"}},
      {"Irreflexive",
       {"irreflexive po ; fr ; po ; rf", "irreflexive hb ; fr ; (po ; co)*", "irreflexive po+ ; rfe ; po ; fre"}},
      // One round is forbidden, two rounds that meet again are not.
      {"IrreflexiveOnce", {"irreflexive fre ; po", "irreflexive [W] ; co ; [W] ; po ; [R & SC] ; fre"}},
      {"Empty",
       {"empty [SC] ; fr ; po ; [R]", "empty [R & SC] ; hb ; [W] ; co ; [W & SC]", "empty [UW] ; rf ; [UR & SC]"}},
      {"Inverses",
       {"acyclic (po | rf | co | fr)^-1", "irreflexive [SC] ; hb^-1 ; [R] ; rf^-1 ; [W] ; coe ; [W]; hb^-1 ; [SC]",
        "acyclic ([SC] ; (fri | coi | rfi | rmw)^-1 | fre | tc | tj^-1) ; [SC] ; (hb & loc)",
        "acyclic (coe | fre | rfe) ; ((po & loc)^-1 | (po \\ loc) | (hb \\ loc))"}},
      {"ConflictsWithOtherBounds",
       {"error e unless [NA] ; loc ; [W] | [W & NA] ; loc ; [R] <= hb | rf",
        "error e unless loc <= co ; hb? | fr ; rf?", "error e unless [W] ; loc ; [W] <= hb ; [SC] ; hb"}},
      {"PairsWithOtherPairs",
       {"error e unless rf <= hb", "error e unless [W] ; co ; [W & SC] ; rf ; [R] <= hb",
        "error e unless [W] ; po ; [F] ; po ; [W] ; rfe ; [R] ; po? ; [R | W] <= po ; [F] ; hb",
        "error e unless [R] ; fr ; [W] ; co ; [W] <= po | hb^-1 ; fr ; hb?",
        "error e unless [REL] ; hb ; [W] <= int | tc | rf | hb ; [ACQ] ; hb",
        "error e unless [TC] ; (tc ; po | co)* ; po ; [R | W] <= 0",
        "let rec chain = chain ; rmw ; rf | [W] ; rf\nerror e unless chain ; [R] <= hb"}},
      {"WithoutCoherence",
       {"acyclic po-loc | rf | co-imm | fr-imm", "irreflexive hb ; (rf | (co | fr) ; rf?)?"},
       false},
      {"TwoViews",
       {"acyclic [SC] ; (strong | co | fr) ; [SC]", "irreflexive strong ; fr ; hb ; rf^-1 ; [W] ; strong"},
       true,
       "view strong = (po | [W & SC] ; rf ; [R & SC] | tc | tj)+\n"
       "view hb = (po | [W & REL] ; rf ; [R & ACQ] | [F & REL] ; po ; rf ; po ; [F & ACQ] | tc | tj)+\n"},
      {"ViewOfViews",
       {"acyclic [W] ; hb ; [R] ; fr | strong \\ loc ; co", "empty [SC] ; strong ; [W & REL] ; fr^-1 ; [SC]"},
       true,
       "view strong = (po | [W & SC] ; rf ; [R & SC] | tc | tj)+\n"
       "view hb = (po | [UW] ; strong ; [UR] | [REL] ; (rf ; rmw)* ; rf ; [ACQ] | tc | tj)+\n"},
      {"GuardedViews",
       {"acyclic (hb & loc) | co | fr | rf", "acyclic [F | R] ; (hb \\ loc) ; [W] ; co ; [W & SC] | fre ; [W] ; po"},
       true,
       "let from = W & (SC | REL & UW)\n"
       "view hb = (po | [from] ; rfe ; [R & SC | UR] | [R & ACQ] ; po ; [F] ; po ; [W & UW] ; rf ; [UR] | tc | tj)+\n"},
  };
  return models;
}

// Views that an event of its own adds to although it is not the end of a reads-from edge (TACAS'24, Fig. 6).
inline void explore_growing_views(const std::vector<FurtherChecker>& further = {}) {
  for (const std::string view : {"po-imm | [REL] ; rf ; [ACQ] ; po-imm | [REL] ; rf ; po ; [F & ACQ]",
                                 "po | rf ; po ; [SC]", "po | rf ; po-loc"}) {
    SCOPED_TRACE(view);
    const Result<Model> model = Model::parse("view hb = (" + view + " | tc | tj)+ coherence hb", "test.kat");
    ASSERT_TRUE(model) << model.problems()[0].message;
    explore(*model, 100, further);
  }
}

inline void explore_odd(const OddModel& odd, const std::vector<FurtherChecker>& further = {}) {
  for (const char* constraints : odd.constraints) {
    const std::string text = odd.views + std::string(odd.coherence ? "coherence hb\n" : "") + constraints;
    const Result<Model> model = Model::parse(text, "test.kat");
    ASSERT_TRUE(model) << model.problems()[0].message;
    SCOPED_TRACE(constraints);
    explore(*model, 60, further);
  }
}

}  // namespace heddle::consistency::test
