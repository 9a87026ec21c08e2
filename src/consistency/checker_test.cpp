// Litmus graphs built by hand: what each shipped model says about the outcome that tells models apart, asked twice
// (the incremental checker and the full evaluation). Also loading of models, views, coherence, atomicity and races.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "consistency/check_full.h"
#include "consistency/compiled_model.h"
#include "consistency/test_graphs.h"

namespace heddle::consistency::test {
namespace {

using Shape = std::function<void(GraphBuilder&)>;

struct Verdicts {
  bool sc, tso, ra, rc11;
};

// Every shape: up to four threads, three locations x y z.
void expect_verdicts(const std::string& name, const Verdicts& verdicts, const Shape& shape) {
  const std::pair<const char*, bool> expected[] = {
      {"sc", verdicts.sc}, {"tso", verdicts.tso}, {"ra", verdicts.ra}, {"rc11", verdicts.rc11}};
  for (const auto& [model_name, allowed_by_model] : expected) {
    const Model model = load_model(model_name);
    GraphBuilder builder(model, 4, 3);
    shape(builder);
    EXPECT_EQ(builder.good, allowed_by_model) << name << " under " << model_name;
    std::string broken;
    EXPECT_EQ(allowed(model, builder.graph, &broken), allowed_by_model)
        << name << " under " << model_name << " " << broken;
  }
}

constexpr LocationId x = 0, y = 1, z = 2;

Shape message_passing(MemoryOrder store, MemoryOrder load) {
  return [=](GraphBuilder& b) {
    b.write(0, x, relaxed);
    const EventId flag = b.write(0, y, store);
    b.read(1, y, load, flag);
    b.read(1, x, relaxed, b.initial(x));
  };
}

Shape message_passing_fences(MemoryOrder release_fence, MemoryOrder acquire_fence) {
  return [=](GraphBuilder& b) {
    b.write(0, x, relaxed);
    b.fence(0, release_fence);
    const EventId flag = b.write(0, y, relaxed);
    b.read(1, y, relaxed, flag);
    b.fence(1, acquire_fence);
    b.read(1, x, relaxed, b.initial(x));
  };
}

TEST(Litmus, MessagePassing) {
  expect_verdicts("MP", {false, false, true, true}, message_passing(relaxed, relaxed));
  expect_verdicts("MP rel only", {false, false, true, true}, message_passing(release, relaxed));
  expect_verdicts("MP rel acq", {false, false, false, false}, message_passing(release, acquire));
  expect_verdicts("MP fences", {false, false, false, false}, message_passing_fences(release, acquire));
  expect_verdicts("MP one fence", {false, false, true, true}, message_passing_fences(release, release));
}

Shape store_buffering(MemoryOrder store, MemoryOrder load, bool fences = false, MemoryOrder fence = seq_cst) {
  return [=](GraphBuilder& b) {
    b.write(0, x, store);
    if (fences) b.fence(0, fence);
    b.read(0, y, load, b.initial(y));
    const EventId w = b.write(1, y, store);
    (void)w;
    if (fences) b.fence(1, fence);
    b.read(1, x, load, b.initial(x));
  };
}

TEST(Litmus, StoreBuffering) {
  expect_verdicts("SB", {false, true, true, true}, store_buffering(relaxed, relaxed));
  expect_verdicts("SB rel acq", {false, true, true, true}, store_buffering(release, acquire));
  expect_verdicts("SB sc", {false, false, true, false}, store_buffering(seq_cst, seq_cst));
  expect_verdicts("SB sc fences", {false, false, true, false}, store_buffering(relaxed, relaxed, true));
  expect_verdicts("SB acq_rel fences", {false, true, true, true},
                  store_buffering(relaxed, relaxed, true, acquire_release));
  expect_verdicts("SB sc stores, relaxed loads", {false, true, true, true}, store_buffering(seq_cst, relaxed));
}

TEST(Litmus, StoreBufferingWithReadModifyWrites) {
  expect_verdicts("SB xchg", {false, false, true, true}, [](GraphBuilder& b) {
    b.rmw(0, x, relaxed, b.initial(x));
    b.read(0, y, relaxed, b.initial(y));
    b.rmw(1, y, relaxed, b.initial(y));
    b.read(1, x, relaxed, b.initial(x));
  });
  expect_verdicts("SB failed cas", {false, false, true, true}, [](GraphBuilder& b) {
    b.write(0, x, relaxed);
    b.failed_rmw(0, y, relaxed, b.initial(y));
    b.write(1, y, relaxed);
    b.failed_rmw(1, x, relaxed, b.initial(x));
  });
}

TEST(Litmus, OwnWritesAreSeenEarly) {  // n6, and SB with reads of the own write
  expect_verdicts("n6", {false, true, true, true}, [](GraphBuilder& b) {
    const EventId own = b.write(0, x, relaxed);
    b.read(0, x, relaxed, own);
    b.read(0, y, relaxed, b.initial(y));
    b.write(1, y, relaxed);
    b.write(1, x, relaxed, b.initial(x));
  });
  expect_verdicts("SB rfi", {false, true, true, true}, [](GraphBuilder& b) {
    b.read(0, x, relaxed, b.write(0, x, relaxed));
    b.read(0, y, relaxed, b.initial(y));
    b.read(1, y, relaxed, b.write(1, y, relaxed));
    b.read(1, x, relaxed, b.initial(x));
  });
}

Shape independent_reads(MemoryOrder store, MemoryOrder first, MemoryOrder second, bool fences = false) {
  return [=](GraphBuilder& b) {
    const EventId wx = b.write(0, x, store), wy = b.write(1, y, store);
    b.read(2, x, first, wx);
    if (fences) b.fence(2, seq_cst);
    b.read(2, y, second, b.initial(y));
    b.read(3, y, first, wy);
    if (fences) b.fence(3, seq_cst);
    b.read(3, x, second, b.initial(x));
  };
}

TEST(Litmus, IndependentReads) {
  expect_verdicts("IRIW", {false, false, true, true}, independent_reads(relaxed, relaxed, relaxed));
  expect_verdicts("IRIW acq", {false, false, true, true}, independent_reads(release, acquire, acquire));
  expect_verdicts("IRIW sc", {false, false, true, false}, independent_reads(seq_cst, seq_cst, seq_cst));
  expect_verdicts("IRIW acq sc", {false, false, true, true}, independent_reads(seq_cst, acquire, seq_cst));
  expect_verdicts("IRIW fences", {false, false, true, false}, independent_reads(relaxed, relaxed, relaxed, true));
}

Shape two_plus_two_writes(MemoryOrder order) {
  return [=](GraphBuilder& b) {
    const EventId x1 = b.write(0, x, order);
    b.write(0, y, order);
    b.write(1, y, order, b.initial(y));
    b.write(1, x, order, b.initial(x));
    (void)x1;
  };
}

TEST(Litmus, TwoPlusTwoWrites) {
  // Final values are those of the first writes: y = 1 || x = 1 come last in coherence.
  const auto shape = [](MemoryOrder order) {
    return [=](GraphBuilder& b) {
      const EventId x1 = b.write(0, x, order);
      const EventId y2 = b.write(0, y, order);
      b.write(1, y, order, y2);
      b.write(1, x, order, b.initial(x));
      (void)x1;
    };
  };
  expect_verdicts("2+2W", {false, false, true, true}, shape(relaxed));
  expect_verdicts("2+2W rel", {false, false, true, true}, shape(release));
  expect_verdicts("2+2W sc", {false, false, true, false}, shape(seq_cst));
  expect_verdicts("2+2W ordered", {true, true, true, true}, two_plus_two_writes(seq_cst));
}

TEST(Litmus, WriteToReadCausality) {
  const auto shape = [](MemoryOrder store, MemoryOrder load) {
    return [=](GraphBuilder& b) {
      b.read(1, x, load, b.write(0, x, store));
      b.read(2, y, load, b.write(1, y, store));
      b.read(2, x, relaxed, b.initial(x));
    };
  };
  expect_verdicts("WRC", {false, false, true, true}, shape(relaxed, relaxed));
  expect_verdicts("WRC rel acq", {false, false, false, false}, shape(release, acquire));
}

TEST(Litmus, ReleaseSequences) {
  expect_verdicts("a relaxed read-modify-write continues the sequence", {false, false, false, false},
                  [](GraphBuilder& b) {
                    b.write(0, x, relaxed);
                    const EventId flag = b.write(0, y, release);
                    const EventId added = b.rmw(1, y, relaxed, flag);
                    b.read(2, y, acquire, added);
                    b.read(2, x, relaxed, b.initial(x));
                  });
  expect_verdicts("a later write of the same thread does not (C++20)", {false, false, true, true}, [](GraphBuilder& b) {
    b.write(0, x, relaxed);
    b.write(0, y, release);
    const EventId later = b.write(0, y, relaxed);
    b.read(1, y, acquire, later);
    b.read(1, x, relaxed, b.initial(x));
  });
}

TEST(Litmus, Coherence) {
  expect_verdicts("CoRR", {false, false, false, false}, [](GraphBuilder& b) {
    b.read(1, x, relaxed, b.write(0, x, relaxed));
    b.read(1, x, relaxed, b.initial(x));
  });
  expect_verdicts("CoWW", {false, false, false, false}, [](GraphBuilder& b) {
    b.write(0, x, relaxed);
    b.write(0, x, relaxed, b.initial(x));
  });
  expect_verdicts("CoRW", {false, false, false, false}, [](GraphBuilder& b) {
    b.read(1, x, relaxed, b.write(0, x, relaxed));
    b.write(1, x, relaxed, b.initial(x));
  });
}

TEST(Litmus, ThreadCreationAndJoin) {
  expect_verdicts("a new thread sees what its creator did", {false, false, false, false}, [](GraphBuilder& b) {
    b.write(0, x, relaxed);
    b.begin(1, b.create(0));
    b.read(1, x, relaxed, b.initial(x));
  });
  expect_verdicts("a join sees what the thread did", {false, false, false, false}, [](GraphBuilder& b) {
    b.begin(1, b.create(0));
    b.write(1, x, relaxed);
    b.join(0, b.finish(1));
    b.read(0, x, relaxed, b.initial(x));
  });
}

TEST(Checker, WritesDoNotSplitReadModifyWrites) {
  GraphBuilder b(load_model("rc11"), 3, 1);
  const EventId exchanged = b.rmw(0, x, relaxed, b.initial(x));
  const EventId w = b.graph.add_event(1, make_event(EventKind::write, write_labels(relaxed), x));
  b.checker.update_views(w);
  std::vector<EventId> places;
  b.checker.coherent_places(w, places);
  EXPECT_EQ(places, std::vector<EventId>{exchanged});
}

TEST(Checker, SourcesStopAtWhatTheThreadKnows) {
  GraphBuilder b(load_model("ra"), 2, 1);
  const EventId first = b.write(0, x, relaxed), second = b.write(0, x, relaxed), third = b.write(0, x, relaxed);
  b.read(1, x, relaxed, second);
  const EventId r = b.graph.add_event(1, make_event(EventKind::read, read_labels(relaxed), x));
  std::vector<EventId> sources;
  b.checker.coherent_sources(r, sources);
  EXPECT_EQ(sources, (std::vector<EventId>{third, second}));
  b.graph.set_source(r, first);
  b.checker.update_views(r);
  EXPECT_FALSE(b.checker.coherent_source(r));
}

TEST(Checker, CycleNamesItsEvents) {
  GraphBuilder b(load_model("sc"), 2, 2);
  store_buffering(relaxed, relaxed)(b);
  ASSERT_FALSE(b.good);
  EXPECT_EQ(b.checker.broken_cycle().size(), 4u);
}

TEST(Checker, CausalViewIsShared) {
  EXPECT_EQ(load_model("sc").view_count(), 1u);
  EXPECT_EQ(load_model("tso").view_count(), 1u);
  EXPECT_EQ(load_model("ra").view_count(), 2u);
  EXPECT_EQ(load_model("rc11").view_count(), 2u);
}

TEST(Checker, ViewsFollowSynchronisation) {
  GraphBuilder b(load_model("rc11"), 3, 2);
  const EventId data = b.write(0, x, plain), flag = b.write(0, y, release);
  const EventId weak = b.read(1, y, relaxed, flag), strong = b.read(2, y, acquire, flag);
  const ExecutionGraph& graph = b.graph;
  EXPECT_TRUE(graph.contains(graph.view(0, weak), data));
  EXPECT_FALSE(graph.contains(graph.view(1, weak), data));
  EXPECT_TRUE(graph.contains(graph.view(1, strong), data));
  b.fence(1, acquire);
  EXPECT_TRUE(graph.contains(graph.view(1, graph.last_of(1)), data));
}

struct RaceCase {
  const char* model;
  MemoryOrder data_write, flag_write, flag_read, data_read;
  bool race;
};

TEST(Checker, Races) {
  const RaceCase cases[] = {
      {"sc", plain, relaxed, relaxed, plain, false},    {"tso", plain, relaxed, relaxed, plain, false},
      {"ra", plain, relaxed, relaxed, plain, true},     {"rc11", plain, release, relaxed, plain, true},
      {"rc11", plain, release, acquire, plain, false},  {"rc11", plain, relaxed, relaxed, relaxed, true},
      {"rc11", relaxed, relaxed, relaxed, plain, true}, {"rc11", relaxed, relaxed, relaxed, relaxed, false},
  };
  for (const RaceCase& c : cases) {
    const Model model = load_model(c.model);
    GraphBuilder b(model, 2, 2);
    const EventId data = b.write(0, x, c.data_write);
    b.read(1, y, c.flag_read, b.write(0, y, c.flag_write));
    b.read(1, x, c.data_read, data);
    EXPECT_EQ(b.race(), c.race) << c.model << " " << name_of(c.data_write) << " " << name_of(c.data_read);
    EXPECT_EQ(!violations(model, b.graph).empty(), c.race);
  }
}

TEST(Model, TitleAndName) {
  const Model model = load_model("sc");
  EXPECT_EQ(model.name(), "sc");
  EXPECT_EQ(model.title(), "Sequential consistency");
}

TEST(Model, CausalityIsNotChecked) {
  const auto constraints_of = [](const std::string& text) {
    return Model::parse("view hb = (po | rf | tc | tj)+\n" + text, "test.kat")->compiled().constraints.size();
  };
  EXPECT_EQ(constraints_of("acyclic po | rf | tc | tj"), 0u);
  EXPECT_EQ(constraints_of("irreflexive hb ; [R] ; po"), 0u);
  EXPECT_EQ(constraints_of("acyclic po | rf | co"), 1u);
  EXPECT_EQ(constraints_of("acyclic po | rf^-1"), 1u);
  EXPECT_EQ(constraints_of("empty po ; rf"), 1u);
  EXPECT_EQ(constraints_of("irreflexive po?"), 1u);
}

TEST(Model, BadFilesGiveDiagnostics) {
  EXPECT_FALSE(Model::load("no/such/file.kat"));
  EXPECT_FALSE(Model::load("."));  // a folder
  const std::pair<const char*, const char*> cases[] = {
      {"view v = (rf)+ coherence v", "does not contain program order"},
      {"view v = (po | co)+", "can change after"},
      {"view v = po", "transitive closure"},
      {"acyclic po error e unless po ; po <= rf", "its left side has pairs that do not end at a read or a write"},
      {"acyclic po error e unless po^-1 ; [R] <= rf", "its left side goes backwards"},
      {"acyclic po error e unless co-imm <= rf", "its left side uses co-imm"},
      {"acyclic po error e unless rf <= fr-imm", "its right side uses co-imm"},
      {"acyclic po error e unless loc <= po ; co", "its right side can become true later"},
      {"acyclic po error e unless rf <= co ; po^-1", "its right side can become true later"},
      {"let a = po ; po let b = a ; a let c = b ; b let d = c;c let e = d;d let f = e;e let g = f;f let h = g;g "
       "let i = h;h let j = i;i let k = j;j let l = k;k acyclic l",
       "too large"},
  };
  for (const auto& [text, message] : cases) {
    const Result<Model> model = Model::parse(text, "bad.kat");
    ASSERT_FALSE(model) << text;
    EXPECT_NE(model.problems()[0].message.find(message), std::string::npos) << model.problems()[0].message;
    EXPECT_EQ(model.problems()[0].file, "bad.kat");
    EXPECT_EQ(model.problems()[0].line, 1u);
  }
}

}  // namespace
}  // namespace heddle::consistency::test
