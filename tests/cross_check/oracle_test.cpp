// The reference must be right before it may judge: its counts are compared with published ones. The table of shapes is
// SS/RF for SC, TSO, RA (every access release/acquire) and RC11 (every access relaxed); then the litmus lines of each
// model, races, locks; then the text form, the bytecode translation, the generator and the shrinker.
#include <gtest/gtest.h>

#include "canonical_key.h"
#include "litmus_program.h"
#include "random_program.h"
#include "reference_explorer.h"
#include "shrink.h"
#include "test_support.h"
#include "to_bytecode.h"

namespace heddle::cross_check {
namespace {

// Shapes are written as in papers: threads apart by "||", operations by ";". `x=1` stores, `a=x` loads, `x+=1` and
// `a<->x:5` are a fetch_add and an exchange, `cas x 0 1`, `F`, `if a==0 1`. A suffix @acq, @rel, @ar, @sc, @rlx, @na
// gives the order; without one the defaults apply.
struct Defaults {
  MemoryOrder load = MemoryOrder::relaxed, store = MemoryOrder::relaxed, update = MemoryOrder::relaxed;
};
const Defaults relaxed{};
const Defaults release_acquire{MemoryOrder::acquire, MemoryOrder::release, MemoryOrder::acquire_release};
const Defaults seq_cst{MemoryOrder::seq_cst, MemoryOrder::seq_cst, MemoryOrder::seq_cst};

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string::npos; begin = end + separator.size()) {
    parts.push_back(trimmed(text.substr(begin, end - begin)));
  }
  parts.push_back(trimmed(text.substr(begin)));
  return parts;
}

MemoryOrder order_called(const std::string& name) {
  if (name == "na") return MemoryOrder::plain;
  if (name == "rlx") return MemoryOrder::relaxed;
  if (name == "acq") return MemoryOrder::acquire;
  if (name == "rel") return MemoryOrder::release;
  if (name == "ar") return MemoryOrder::acquire_release;
  EXPECT_EQ(name, "sc");
  return MemoryOrder::seq_cst;
}

int register_called(const std::string& name) { return name[0] - 'a'; }

int location_called(LitmusProgram& program, const std::string& name) {
  for (std::size_t i = 0; i < program.locations.size(); i++) {
    if (program.locations[i] == name) return static_cast<int>(i);
  }
  program.locations.push_back(name);
  return static_cast<int>(program.locations.size()) - 1;
}

Operation operation_of(const std::string& text, LitmusProgram& program, const Defaults& defaults) {
  const std::vector<std::string> parts = split(text, "@");
  const std::string& body = parts[0];
  Operation operation;
  if (body == "F") {
    operation.kind = OperationKind::fence;
    operation.order = MemoryOrder::seq_cst;
  } else if (body.starts_with("if ")) {
    operation.kind = OperationKind::skip_if_equal;
    operation.operand.source = register_called(body.substr(3));
    operation.expected = body[6] - '0';
    operation.skip = body[8] - '0';
  } else if (body.starts_with("cas ")) {
    operation.kind = OperationKind::compare_exchange;
    operation.location = location_called(program, body.substr(4, 1));
    operation.expected = body[6] - '0';
    operation.desired = body[8] - '0';
    operation.target = 15;
    operation.order = defaults.update;
  } else if (body.find("+=") != std::string::npos) {
    operation.kind = OperationKind::fetch_add;
    operation.location = location_called(program, body.substr(0, 1));
    operation.operand.constant = body[3] - '0';
    operation.target = 14;
    operation.order = defaults.update;
  } else if (body.find("<->") != std::string::npos) {
    operation.kind = OperationKind::exchange;
    operation.target = register_called(body);
    operation.location = location_called(program, body.substr(4, 1));
    operation.operand.constant = body[6] - '0';
    operation.order = defaults.update;
  } else if (body[0] >= 'a' && body[0] <= 'h') {
    operation.kind = OperationKind::load;
    operation.target = register_called(body);
    operation.location = location_called(program, body.substr(2));
    operation.order = defaults.load;
  } else {
    operation.kind = OperationKind::store;
    operation.location = location_called(program, body.substr(0, 1));
    operation.operand.constant = body[2] - '0';
    operation.order = defaults.store;
  }
  if (parts.size() > 1) operation.order = order_called(parts[1]);
  return operation;
}

LitmusProgram shape(const std::string& text, const Defaults& defaults = relaxed) {
  LitmusProgram program;
  for (const std::string& thread : split(text, "||")) {
    program.threads.emplace_back();
    for (const std::string& operation : split(thread, ";")) {
      program.threads.back().push_back(operation_of(operation, program, defaults));
    }
  }
  return program;
}

std::string counts(const LitmusProgram& program, ReferenceModel model, const ModelOptions& options = {}) {
  const ReferenceResult result = explore_reference(program, {model}, options).at(model);
  std::set<std::string> reads_from_classes;
  for (const std::string& key : result.executions) reads_from_classes.insert(reads_from_key(key));
  return std::to_string(result.executions.size()) + "/" + std::to_string(reads_from_classes.size());
}

std::string counts(const std::string& text, ReferenceModel model, const Defaults& defaults = relaxed) {
  return counts(shape(text, defaults), model);
}

using enum ReferenceModel;

struct Row {
  const char* name;
  const char* text;
  const char *sc, *tso, *ra, *rc11;
};

const Row table[] = {
    {"MP", "x=1;y=1 || a=y;b=x", "3/3", "3/3", "3/3", "4/4"},
    {"SB", "x=1;a=y || y=1;b=x", "3/3", "4/4", "4/4", "4/4"},
    {"LB", "a=x;y=1 || b=y;x=1", "3/3", "3/3", "3/3", "3/3"},
    {"S", "x=2;y=1 || a=y;x=1", "3/2", "3/2", "3/2", "4/2"},
    {"R", "x=1;y=1 || y=2;a=x", "3/2", "4/2", "4/2", "4/2"},
    {"2+2W", "x=1;y=2 || y=1;x=2", "3/1", "3/1", "4/1", "4/1"},
    {"WRC", "x=1 || a=x;y=1 || b=y;c=x", "7/7", "7/7", "7/7", "8/8"},
    {"IRIW", "x=1 || y=1 || a=x;b=y || c=y;d=x", "15/15", "15/15", "16/16", "16/16"},
    {"RWC", "x=1 || a=x;b=y || y=1;c=x", "7/7", "8/8", "8/8", "8/8"},
    {"ISA2", "x=1;y=1 || a=y;z=1 || b=z;c=x", "7/7", "7/7", "7/7", "8/8"},
    {"CoRR", "x=1 || a=x;b=x", "3/3", "3/3", "3/3", "3/3"},
    {"CoWR", "x=1;a=x || x=2", "3/2", "3/2", "3/2", "3/2"},
    {"CoRW", "a=x;x=1 || x=2", "3/2", "3/2", "3/2", "3/2"},
    {"CoRR2", "x=1 || x=2 || a=x;b=x || c=x;d=x", "72/47", "72/47", "72/47", "72/47"},
    {"W+W", "x=1 || x=2", "2/1", "2/1", "2/1", "2/1"},
    {"R+W+W", "a=x || x=1 || x=2", "6/3", "6/3", "6/3", "6/3"},
    {"2 fetch_add", "x+=1 || x+=1", "2/2", "2/2", "2/2", "2/2"},
    {"3 fetch_add", "x+=1 || x+=1 || x+=1", "6/6", "6/6", "6/6", "6/6"},
    {"4 fetch_add", "x+=1 || x+=1 || x+=1 || x+=1", "24/24", "24/24", "24/24", "24/24"},
    {"CAS||CAS", "cas x 0 1 || cas x 0 2", "2/2", "2/2", "2/2", "2/2"},
    {"w+rw+w", "x=1 || a=x;if a==1 2;if a==2 1;y=1 || x=2", "6/3", "6/3", "6/3", "6/3"},
    {"R+R+WW", "a=x || b=y || y=1;x=1", "4/4", "4/4", "4/4", "4/4"},
};

TEST(Oracle, AgreesWithTheTableOfShapes) {
  for (const Row& row : table) {
    EXPECT_EQ(counts(row.text, sc), row.sc) << row.name;
    EXPECT_EQ(counts(row.text, tso), row.tso) << row.name;
    EXPECT_EQ(counts(row.text, ra, release_acquire), row.ra) << row.name;
    EXPECT_EQ(counts(row.text, rc11), row.rc11) << row.name;
  }
}

TEST(Oracle, ScIgnoresOrders) {
  for (const Row& row : table) {
    EXPECT_EQ(counts(row.text, sc, seq_cst), row.sc) << row.name;
    EXPECT_EQ(counts(row.text, sc, release_acquire), row.sc) << row.name;
  }
}

TEST(Oracle, TsoLitmus) {
  EXPECT_EQ(counts("x=1;F;a=y || y=1;F;b=x", tso), "3/3");
  EXPECT_EQ(counts("a<->x:1;b=y || a<->y:1;b=x", tso), "3/3");
  EXPECT_EQ(counts("x=1;c=x;a=y || y=1;d=y;b=x", tso), "4/4");
  EXPECT_EQ(counts("x=1;a=x;b=y || y=1;x=2", tso), "5/3");  // n6
  EXPECT_EQ(counts("x=1;a=x;b=y || y=1;x=2", sc), "4/3");
  EXPECT_EQ(counts("x=1;a=y || y=1;b=x", tso, seq_cst), "3/3");
  EXPECT_EQ(counts("x=1;a=y || y=1;b=x", tso, release_acquire), "4/4");
  EXPECT_EQ(counts("x=1;F@ar;a=y || y=1;F@ar;b=x", tso), "4/4");   // only a seq_cst fence is MFENCE
  EXPECT_EQ(counts("x=1;z+=1;a=y || y=1;w+=1;b=x", tso), "3/3");   // a read-modify-write drains
  EXPECT_EQ(counts("x=1@sc;a=y || y=1@sc;b=x", tso), "4/4");       // a seq_cst store passes a relaxed load
  // Threads that are merged may do more: RWC with a fence is forbidden, its merged form is not.
  EXPECT_EQ(counts("x=1 || a=x;b=y || y=1;F;c=x", tso), "7/7");
  EXPECT_EQ(counts("x=1;a=x;b=y || y=1;F;c=x", tso), "4/4");
}

TEST(Oracle, TsoFailedCompareExchange) {
  const LitmusProgram witness = shape("x=1;cas z 7 8;a=y || y=1;cas w 7 8;b=x");
  EXPECT_EQ(counts(witness, tso), "3/3");
  EXPECT_EQ(counts(witness, tso, {.failed_compare_exchange_drains = false}), "4/4");
}

TEST(Oracle, RaLitmus) {
  EXPECT_EQ(counts("x=1;y=1 || a=y;b=x", ra), "4/4");
  EXPECT_EQ(counts("x=1;y=1@rel || a=y@acq;b=x", ra), "3/3");
  EXPECT_EQ(counts("x=1;F@rel;y=1 || a=y;F@acq;b=x", ra), "3/3");
  // seq_cst means acquire and release, no more.
  EXPECT_EQ(counts("x=1;a=y || y=1;b=x", ra, seq_cst), "4/4");
  EXPECT_EQ(counts("x=1;F;a=y || y=1;F;b=x", ra), "4/4");
  EXPECT_EQ(counts("x=1 || y=1 || a=x;b=y || c=y;d=x", ra, seq_cst), "16/16");
  EXPECT_EQ(counts("x=1;y=2 || y=1;x=2", ra, seq_cst), "4/1");
}

TEST(Oracle, Rc11Litmus) {
  EXPECT_EQ(counts("x=1;y=1@rel || a=y@acq;b=x", rc11), "3/3");
  EXPECT_EQ(counts("x=1;y=1 || a=y@acq;b=x", rc11), "4/4");
  EXPECT_EQ(counts("x=1;y=1@rel || a=y;b=x", rc11), "4/4");
  EXPECT_EQ(counts("x=1;F@rel;y=1 || a=y;F@acq;b=x", rc11), "3/3");
  EXPECT_EQ(counts("x=1;F@acq;y=1 || a=y;F@rel;b=x", rc11), "4/4");
  EXPECT_EQ(counts("x=1;a=y || y=1;b=x", rc11, seq_cst), "3/3");
  EXPECT_EQ(counts("x=1;a=y || y=1;b=x", rc11, release_acquire), "4/4");
  EXPECT_EQ(counts("x=1;F;a=y || y=1;F;b=x", rc11), "3/3");
  EXPECT_EQ(counts("x=1 || y=1 || a=x;b=y || c=y;d=x", rc11, release_acquire), "16/16");
  EXPECT_EQ(counts("x=1 || y=1 || a=x;b=y || c=y;d=x", rc11, seq_cst), "15/15");
  EXPECT_EQ(counts("x=1 || y=1 || a=x;F;b=y || c=y;F;d=x", rc11), "15/15");
  EXPECT_EQ(counts("x=1;y=2 || y=1;x=2", rc11, release_acquire), "4/1");
  EXPECT_EQ(counts("x=1;y=2 || y=1;x=2", rc11, seq_cst), "3/1");
  // IRIW-acq-sc tells the published psc from the original C11 axioms.
  EXPECT_EQ(counts("x=1@sc || y=1@sc || a=x@acq;b=y@sc || c=y@acq;d=x@sc", rc11), "16/16");
  EXPECT_EQ(counts("a=x;y=1 || b=y;x=1", rc11, seq_cst), "3/3");
  EXPECT_EQ(counts("x=1 || a=x;F;b=y || y=1;F;c=x", rc11), "7/7");  // RWC with seq_cst fences
}

// Cycles that need one part of psc each: by hand, one of the candidates is forbidden.
TEST(Oracle, Rc11PartialScOrder) {
  // A fence on one side, seq_cst accesses on the other: [F & SC];hb?;scb;[SC] and [SC];scb;hb?;[F & SC].
  EXPECT_EQ(counts("x=1;F;a=y || y=1@sc;b=x@sc", rc11), "3/3");
  EXPECT_EQ(counts("x=1;F;a=y || y=1@sc;b=x", rc11), "4/4");
  // Two seq_cst accesses of different threads, ordered only through a release/acquire pair between them:
  // (po \ loc);hb;(po \ loc).
  EXPECT_EQ(counts("x=1@sc;z=1@rel || a=z@acq;b=y@sc || y=1@sc;c=x@sc", rc11), "7/7");
  EXPECT_EQ(counts("x=1@sc;z=1@rel || a=z@acq;b=y@sc || y=1@sc;c=x@sc", ra), "8/8");
}

TEST(Oracle, Rc11ReleaseSequencesAreThoseOfCpp20) {
  EXPECT_EQ(counts("x=1;y=1@rel;y=2 || a=y@acq;b=x", rc11), "5/5");
  EXPECT_EQ(counts("x=1;y=1@rel;y=3 || y=2 || a=y@acq;b=x", rc11), "21/7");
  EXPECT_EQ(counts("x=1;y=1@rel || y+=1@rlx || a=y@acq;b=x", rc11), "9/9");
}

// Z6.U: allowed under RC11 (1 || fetch_add returns 1, c = 3 || a = 0), forbidden in original C11.
TEST(Oracle, Rc11AllowsZ6U) {
  const LitmusProgram program = shape("x=1@sc;y=1@rel || y+=1@sc;c=y || y=3@sc;a=x@sc");
  const ReferenceResult result = explore_reference(program, {rc11}).at(rc11);
  bool found = false;
  for (const std::string& execution : result.executions) {
    const std::string key = describe_key(program, execution);
    found |= key.find("R y=1 seq_cst <- T1.1; W y=2 seq_cst; R y=3 relaxed <- T3.0") != std::string::npos &&
             key.find("R x=0 seq_cst") != std::string::npos;
  }
  EXPECT_TRUE(found);
}

bool races(const std::string& text, ReferenceModel model, const Defaults& defaults = relaxed) {
  return explore_reference(shape(text, defaults), {model}).at(model).race;
}

TEST(Oracle, Races) {
  for (ReferenceModel model : all_models) {
    EXPECT_TRUE(races("x=1@na || a=x@na", model)) << name_of(model);
    EXPECT_TRUE(races("x=1@na || x=2@na", model));
    EXPECT_TRUE(races("x=1@na || a=x", model));
    EXPECT_FALSE(races("x=1 || a=x", model));
    EXPECT_FALSE(races("a=x@na || b=x@na", model));
    EXPECT_FALSE(races("x=1@na;y=1@rel || a=y@acq;if a==0 1;b=x@na", model));
    EXPECT_TRUE(races("x=1@na;y=1@rel || a=y@acq;b=x@na", model));
    EXPECT_FALSE(races("x=1@na;a=x@na || y=1@na", model));
  }
  // Relaxed accesses synchronise under SC and TSO only.
  const std::string guarded = "x=1@na;y=1 || a=y;if a==0 1;b=x@na";
  EXPECT_FALSE(races(guarded, sc));
  EXPECT_FALSE(races(guarded, tso));
  EXPECT_TRUE(races(guarded, ra));
  EXPECT_TRUE(races(guarded, rc11));
  // Dekker with plain data: needs seq_cst.
  const std::string dekker = "x=1;a=y;if a==1 1;z=1@na || y=1;b=x;if b==1 1;z=2@na";
  EXPECT_FALSE(races(dekker, sc));
  EXPECT_TRUE(races(dekker, tso));
  EXPECT_FALSE(races(dekker, tso, seq_cst));
  EXPECT_FALSE(races(dekker, rc11, seq_cst));
  EXPECT_TRUE(races(dekker, ra, seq_cst));
}

TEST(Oracle, LocksExclude) {
  const std::string section = "thread\n lock m\n r0 = load x plain\n store x r0+1 plain\n unlock m\n";
  for (const auto& [model, result] : explore_reference(program_of(section + section), {sc, tso, ra, rc11})) {
    EXPECT_EQ(result.executions.size(), 2u) << name_of(model);
    EXPECT_FALSE(result.race) << name_of(model);
    EXPECT_FALSE(result.deadlock) << name_of(model);
  }
  const ReferenceResult three = explore_reference(program_of(section + section + section), {rc11}).at(rc11);
  EXPECT_EQ(three.executions.size(), 6u);
}

TEST(Oracle, FindsDeadlocks) {
  const std::string crossed =
      "thread\n lock m\n lock n\n unlock n\n unlock m\nthread\n lock n\n lock m\n unlock m\n unlock n\n";
  const std::string forgotten = "thread\n lock m\nthread\n lock m\n unlock m\n";
  for (ReferenceModel model : all_models) {
    const ReferenceResult result = explore_reference(program_of(crossed), {model}).at(model);
    EXPECT_TRUE(result.deadlock);
    EXPECT_EQ(result.executions.size(), 2u);
    EXPECT_TRUE(explore_reference(program_of(forgotten), {model}).at(model).deadlock);
  }
}

// Shapes of the conformance set (its number of executions for SC, TSO, RA, RC11), orders as written.
struct ConformanceRow {
  const char* text;
  std::size_t sc, tso, ra, rc11;
};

const ConformanceRow conformance[] = {
    {"x=1;F;a=y || y=1;b=x", 3, 4, 4, 4},
    {"a<->x:1;b=y || a<->y:1;b=x", 3, 3, 4, 4},
    {"x=1;c=x;a=y || y=1;d=y;b=x", 3, 4, 4, 4},
    {"x=1;F@rel;y=1 || a=y@acq;b=x", 3, 3, 3, 3},
    {"x=1;y=1@rel || a=y;F@acq;b=x", 3, 3, 3, 3},
    {"x=1;F;y=1 || a=y;F;b=x", 3, 3, 3, 3},
    {"x=1@na;y=1@rel || a=y@acq;if a==0 1;b=x@na", 2, 2, 2, 2},
    {"a=x;if a==0 1;y=1 || b=y;if b==0 1;x=1", 1, 1, 1, 1},
    {"x=1 || y=1 || a=x;F;b=y || c=y;F;d=x", 15, 15, 16, 15},
    {"x=1 || a=x;F;b=y || y=1;F;c=x", 7, 7, 8, 7},
    {"x=1;F;y=2 || y=1;F;x=2", 3, 3, 4, 3},
    {"x=1;F;y=1 || y=2;F;a=x", 3, 3, 4, 3},
    {"x=1;y=1 || y=2;z=1 || a=z;x=2", 7, 7, 8, 8},
    {"x=1;x=2 || a=x;b=x", 6, 6, 6, 6},
    {"x=1 || a=x;x=2 || x=3", 12, 12, 12, 12},
    {"a=x;b=x || x=1 || x=2", 12, 12, 12, 12},
    {"x=1;y=1@rel || y+=1 || y+=1 || a=y@acq;if a==0 3;if a==1 2;if a==2 1;b=x", 24, 24, 24, 24},
    {"x=1;y=1@rel || y=2 || a=y@acq;b=x", 9, 9, 10, 10},
    {"cas x 0 1 || cas x 1 2", 2, 2, 2, 2},
    {"cas x 0 1 || x=2;x=0", 3, 3, 3, 3},
    {"x+=1 || x+=1 || x=9", 6, 6, 6, 6},
    {"x=1;z+=1@ar || z+=1@ar;c=x", 3, 3, 3, 3},
    {"x=1;a=y || y=1;b=z || z=1;c=x", 7, 8, 8, 8},
    {"a=x;y=1 || b=y;z=1 || c=z;x=1", 7, 7, 7, 7},
    {"x+=1 || x+=1 || x+=1 || x+=1 || x+=1", 120, 120, 120, 120},
    // Z6.U. The set has no row for RC11, where nothing of what RA allows is lost: see Rc11AllowsZ6U.
    {"x=1@sc;y=1@rel || y+=1@sc;b=y || y=3@sc;c=x@sc", 18, 18, 24, 24},
};

TEST(Oracle, AgreesWithTheConformanceSet) {
  for (const ConformanceRow& row : conformance) {
    const auto results = explore_reference(shape(row.text), {sc, tso, ra, rc11});
    EXPECT_EQ(results.at(sc).executions.size(), row.sc) << row.text;
    EXPECT_EQ(results.at(tso).executions.size(), row.tso) << row.text;
    EXPECT_EQ(results.at(ra).executions.size(), row.ra) << row.text;
    EXPECT_EQ(results.at(rc11).executions.size(), row.rc11) << row.text;
  }
}

TEST(Oracle, StrongerModelsAllowLess) {
  RandomProgramOptions options;
  for (std::uint64_t seed = 1; seed <= 60; seed++) {
    const LitmusProgram program = random_program(seed, options);
    const auto results = explore_reference(program, {sc, tso, ra, rc11});
    const auto within = [&](ReferenceModel a, ReferenceModel b) {
      const auto& small = results.at(a).executions;
      const auto& large = results.at(b).executions;
      return std::includes(large.begin(), large.end(), small.begin(), small.end());
    };
    EXPECT_TRUE(within(sc, tso)) << print_program(program);
    EXPECT_TRUE(within(sc, rc11)) << print_program(program);
    EXPECT_TRUE(within(rc11, ra)) << print_program(program);
    EXPECT_TRUE(!results.at(sc).executions.empty() || results.at(sc).deadlock) << print_program(program);
  }
}

TEST(Oracle, PruningChangesNothing) {
  for (std::uint64_t seed = 1000; seed < 1150; seed++) {
    const LitmusProgram program = random_program(seed, {.event_limit = 7});
    const std::vector<ReferenceModel> every_model(std::begin(all_models), std::end(all_models));
    const auto pruned = explore_reference(program, every_model);
    const auto literal = explore_reference(program, every_model, {}, false);
    for (ReferenceModel model : all_models) {
      EXPECT_EQ(pruned.at(model).executions, literal.at(model).executions) << print_program(program);
      EXPECT_EQ(pruned.at(model).race, literal.at(model).race) << print_program(program);
      EXPECT_EQ(pruned.at(model).deadlock, literal.at(model).deadlock) << print_program(program);
    }
  }
}

TEST(LitmusText, PrintsWhatItReads) {
  const std::string text =
      "thread\n  r0 = load x acquire\n  if r0 == 1 skip 2\n  store y r0+2 release\n  store y 3 plain\n"
      "  fence acq_rel\nthread\n  r1 = fetch_add y 1 acq_rel\n  r2 = exchange x r1 seq_cst\n"
      "  r3 = cas x 0 1 acq_rel acquire\n  lock m\n  unlock m\n";
  const LitmusProgram program = program_of(text);
  EXPECT_EQ(print_program(program), text);
  EXPECT_EQ(count_events(program), 4 + 9);
}

TEST(LitmusText, RefusesNonsense) {
  for (const char* text : {"store x 1 relaxed", "thread\nstore x", "thread\nstore x 1 acquire", "thread\nfly x",
                           "thread\nr0 = load x release", "thread\nr99 = load x relaxed", "thread\nfence relaxed",
                           "thread\nr0 = cas x 0 1 acq_rel release", "thread\nstore x -1 relaxed",
                           "thread\nr0 = fetch_add x 1 plain", "thread\nlock m now", "thread\nif r0 = 1 skip 1"}) {
    const Result<LitmusProgram> result = parse_program(text, "bad");
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.problems()[0].file, "bad");
    EXPECT_GT(result.problems()[0].line, 0u);
  }
}

TEST(LitmusText, RandomProgramsSurviveTheRoundTrip) {
  for (std::uint64_t seed = 1; seed <= 200; seed++) {
    const LitmusProgram program = random_program(seed, {});
    const std::string text = print_program(program);
    EXPECT_EQ(print_program(program_of(text)), text);
    EXPECT_LE(count_events(program), RandomProgramOptions{}.event_limit);
    EXPECT_EQ(program, random_program(seed, {}));
  }
}

TEST(ToBytecode, HasOneFunctionAThreadAndValidOperands) {
  const bytecode::Program program =
      to_bytecode(program_of("thread\n r0 = load x relaxed\n if r0 == 1 skip 1\n store y r0+1 relaxed\nthread\n r0 = "
                             "cas y 0 1 relaxed relaxed\n"
                             " lock m\n unlock m\n"));
  ASSERT_EQ(program.functions.size(), 3u);
  ASSERT_EQ(program.globals.size(), 3u);
  EXPECT_EQ(program.globals[2].size, mutex_size);
  for (const bytecode::Function& function : program.functions) {
    EXPECT_EQ(function.code.size(), function.positions.size());
    EXPECT_EQ(function.code.back().op, bytecode::Opcode::return_values);
    for (const bytecode::Instruction& instruction : function.code) {
      if (instruction.op != bytecode::Opcode::branch) continue;
      EXPECT_LT(instruction.b, function.code.size());
      EXPECT_LT(instruction.c, function.code.size());
      EXPECT_LT(instruction.c, instruction.b);  // the skip is longer than going on
    }
  }
}

bytecode::RecordedEvent recorded(std::uint32_t thread, std::uint32_t index, bytecode::RecordedKind kind) {
  bytecode::RecordedEvent event;
  event.thread = thread;
  event.index = index;
  event.kind = kind;
  event.size = 4;
  return event;
}

TEST(CanonicalKey, IsTheSameForBothSources) {
  using bytecode::RecordedKind;
  const LitmusProgram program = shape("x=1;F;a=y || y+=1@ar;b=x");
  bytecode::RecordedExecution execution;
  execution.threads = {{.id = 0, .function = 0}, {.id = 1, .function = 1}, {.id = 2, .function = 2}};
  execution.events.push_back(recorded(0, 0, RecordedKind::create));
  execution.events.push_back(recorded(1, 0, RecordedKind::begin));
  execution.events.push_back(recorded(1, 1, RecordedKind::write));
  execution.events.push_back(recorded(2, 1, RecordedKind::read));
  execution.events.push_back(recorded(2, 2, RecordedKind::write));
  execution.events.push_back(recorded(1, 2, RecordedKind::fence));
  execution.events.push_back(recorded(1, 3, RecordedKind::read));
  execution.events.push_back(recorded(2, 3, RecordedKind::read));
  auto& events = execution.events;
  for (int i : {2, 6, 7}) events[i].order = MemoryOrder::relaxed;
  for (int i : {3, 4}) events[i].order = MemoryOrder::acquire_release;
  events[5].order = MemoryOrder::seq_cst;
  for (int i : {2, 7}) events[i].address = address_of_location(program, 0);
  for (int i : {3, 4, 6}) events[i].address = address_of_location(program, 1);
  for (int i : {2, 4, 6, 7}) events[i].value.low = 1;
  events[2].coherence_rank = events[4].coherence_rank = 1;
  events[3].reads_from = bytecode::initial_write;
  events[6].reads_from = 4;
  events[7].reads_from = 2;
  const std::string key = canonical_key(program, execution);
  EXPECT_EQ(describe_key(program, key),
            "T1: W x=1 relaxed; F seq_cst; R y=1 relaxed <- T2.1 | "
            "T2: R y=0 acquire <- initial; W y=1 release; R x=1 relaxed <- T1.0 | co x: T1.0 | co y: T2.1");
  EXPECT_TRUE(explore_reference(program, {sc}).at(sc).executions.contains(key));
  events[4].coherence_rank = 2;
  EXPECT_NE(canonical_key(program, execution), key);
  events[4].coherence_rank = 1;
  events[6].reads_from.reset();
  EXPECT_NE(canonical_key(program, execution).find('!'), std::string::npos);
}

// The shrinker finds the store-buffering core of a larger program.
TEST(Shrink, KeepsOnlyWhatTheFailureNeeds) {
  const LitmusProgram program = program_of(
      "thread\n  store x 1 seq_cst\n  r0 = load y acquire\n  store z r0 relaxed\n"
      "thread\n  store y 1 release\n  r1 = load x relaxed\n  if r1 == 0 skip 1\n  r2 = fetch_add z 1 seq_cst\n"
      "thread\n  fence seq_cst\n  r0 = load z relaxed\n");
  const auto is_weak = [](const LitmusProgram& candidate) {
    const auto results = explore_reference(candidate, {sc, tso});
    return results.at(sc).executions != results.at(tso).executions;
  };
  const LitmusProgram small = shrink(program, is_weak);
  EXPECT_TRUE(is_weak(small));
  EXPECT_EQ(small.threads.size(), 2u);
  EXPECT_EQ(count_events(small), 4) << print_program(small);
}

TEST(Shrink, KeepsLocksBalanced) {
  const LitmusProgram program = program_of(
      "thread\n  lock m\n  store x 1 relaxed\n  unlock m\nthread\n  lock m\n  store x 2 relaxed\n  unlock m\n");
  const LitmusProgram small = shrink(program, [](const LitmusProgram& candidate) {
    int locks = 0, unlocks = 0;
    for (const LitmusThread& thread : candidate.threads) {
      for (const Operation& operation : thread) {
        locks += operation.kind == OperationKind::lock;
        unlocks += operation.kind == OperationKind::unlock;
      }
    }
    EXPECT_EQ(locks, unlocks);
    return locks >= 1;
  });
  EXPECT_EQ(print_program(small), "thread\n  lock m\n  unlock m\n");
}

}  // namespace
}  // namespace heddle::cross_check
