// The reference on trylock, barriers, heap objects, choices and threads made by threads, against counts and verdicts
// found by hand; then the generator, the text form, the translation and the shrinker for these.
#include <gtest/gtest.h>

#include "bytecode/verify_program.h"
#include "canonical_key.h"
#include "random_program.h"
#include "reference_explorer.h"
#include "shrink.h"
#include "test_support.h"
#include "to_bytecode.h"

namespace heddle::cross_check {
namespace {

using enum ReferenceModel;
const std::vector<ReferenceModel> every_model(std::begin(all_models), std::end(all_models));

ReferenceResult explored(const std::string& text, ReferenceModel model, const ModelOptions& options = {}) {
  return explore_reference(program_of(text), {model}, options).at(model);
}

std::size_t executions(const std::string& text, ReferenceModel model) {
  return explored(text, model).executions.size();
}

const std::string locks = "thread\n lock m\n unlock m\n";
const std::string tries = "thread\n r0 = trylock m\n if r0 == 1 skip 1\n unlock m\n";

TEST(OracleTrylock, TakesOrFails) {
  for (ReferenceModel model : all_models) {
    // Either of two comes first; the later one finds the mutex held or free again: 2 * 2.
    EXPECT_EQ(executions(tries + tries, model), 4u) << name_of(model);
    // The lock first: the other finds it held or free. The trylock first: it succeeds.
    EXPECT_EQ(executions(locks + tries, model), 3u) << name_of(model);
    EXPECT_EQ(executions(locks + tries + tries, model), 15u) << name_of(model);
    // Nobody unlocks: one of two trylocks fails.
    EXPECT_EQ(executions("thread\n r0 = trylock m\nthread\n r0 = trylock m\n", model), 2u) << name_of(model);
    // A thread does not get the mutex that it holds itself.
    EXPECT_EQ(executions("thread\n lock m\n r0 = trylock m\n", model), 1u) << name_of(model);
    EXPECT_TRUE(explored("thread\n r0 = trylock m\nthread\n lock m\n unlock m\n", model).deadlock) << name_of(model);
    EXPECT_FALSE(explored(locks + tries, model).deadlock) << name_of(model);
  }
}

TEST(OracleTrylock, ExcludesWhenItSucceeds) {
  const std::string section = " store x 1 plain\n unlock m\n";
  const std::string locked = "thread\n lock m\n" + section;
  const std::string guarded = "thread\n r0 = trylock m\n if r0 == 1 skip 2\n" + section;
  const std::string unguarded = "thread\n r0 = trylock m\n if r0 == 1 skip 1\n unlock m\n store x 2 plain\n";
  for (ReferenceModel model : all_models) {
    EXPECT_FALSE(explored(locked + guarded, model).race) << name_of(model);
    EXPECT_TRUE(explored(locked + unguarded, model).race) << name_of(model);
  }
}

// Where a trylock cannot but see a lock that came after an unlock, whether its failure orders what comes before that
// unlock is the option. The fences see to it: if the first thread has not read z from the second one, the trylock comes
// after the first thread's unlock, and if it fails, the third thread has the mutex for good.
TEST(OracleTrylock, FailureSynchronisesIfToldSo) {
  const std::string text =
      "thread\n lock m\n store x 1 plain\n unlock m\n fence seq_cst\n r0 = load z relaxed\n if r0 == 1 skip 1\n"
      " store w 1 relaxed\n"
      "thread\n store z 1 relaxed\n fence seq_cst\n r0 = trylock m\n if r0 == 0 skip 3\n r1 = load w relaxed\n"
      " if r1 == 0 skip 1\n r2 = load x plain\n"
      "thread\n lock m\n";
  EXPECT_FALSE(explored(text, rc11).race);
  EXPECT_TRUE(explored(text, rc11, {.failed_trylock_acquires = false}).race);
}

TEST(OracleBarrier, OrdersWhatComesBeforeAndAfter) {
  const std::string text =
      "barrier b 2\nthread\n store x 1 plain\n wait b\n r0 = load y plain\n"
      "thread\n store y 1 plain\n wait b\n r0 = load x plain\n";
  // Store buffering with a barrier in the middle of one side only: no help, and the other thread is stuck.
  const std::string lonely = "barrier b 2\nthread\n store x 1 relaxed\n wait b\nthread\n store x 2 relaxed\n";
  for (ReferenceModel model : all_models) {
    const ReferenceResult result = explored(text, model);
    EXPECT_EQ(result.executions.size(), 1u) << name_of(model);
    EXPECT_FALSE(result.race || result.deadlock) << name_of(model);
    EXPECT_TRUE(explored(lonely, model).deadlock) << name_of(model);
    EXPECT_TRUE(explored(lonely, model).executions.empty()) << name_of(model);
    // Without one of the waits it is a race.
    EXPECT_TRUE(
        explored("barrier b 1\nthread\n wait b\n store x 1 plain\nthread\n wait b\n store x 2 plain\n", model).race);
  }
}

TEST(OracleBarrier, TellsOneThreadOfARound) {
  const std::string thread = "thread\n r0 = wait b\n if r0 == 0 skip 1\n r1 = fetch_add x 1 relaxed\n";
  for (ReferenceModel model : all_models) {
    // One of the two adds.
    EXPECT_EQ(executions("barrier b 2\n" + thread + thread, model), 2u) << name_of(model);
    // Two rounds of two out of four threads: 6 pairs of threads add, in either order.
    EXPECT_EQ(executions("barrier b 2\n" + thread + thread + thread + thread, model), 12u) << name_of(model);
    // The third one waits for ever.
    EXPECT_TRUE(explored("barrier b 2\n" + thread + thread + thread, model).deadlock) << name_of(model);
    EXPECT_TRUE(explored("barrier b 2\n" + thread + thread + thread, model).executions.empty()) << name_of(model);
  }
}

TEST(OracleBarrier, DrainsTheStoreBuffer) {
  const std::string text =
      "barrier b 2\nthread\n store x 1 relaxed\n wait b\n r0 = load y relaxed\n"
      "thread\n wait b\n store y 1 relaxed\n r0 = load x relaxed\n";
  for (ReferenceModel model : all_models) EXPECT_EQ(executions(text, model), 2u) << name_of(model);
}

const std::string owner = "thread\n r0 = malloc\n store *r0 1 plain\n store p r0 release\n";
const std::string reader = "thread\n r0 = load p acquire\n if r0 == 0 skip 1\n r1 = load *r0 plain\n";

TEST(OracleHeap, FindsUseAfterFree) {
  for (ReferenceModel model : all_models) {
    const ReferenceResult good = explored(owner + reader, model);
    EXPECT_EQ(good.executions.size(), 2u) << name_of(model);
    EXPECT_FALSE(good.race || good.use_after_free || good.double_free || good.misused) << name_of(model);
    EXPECT_TRUE(explored(owner + " free r0\n" + reader, model).use_after_free) << name_of(model);
    EXPECT_TRUE(explored("thread\n r0 = malloc\n free r0\n store *r0 1 plain\n", model).use_after_free);
    EXPECT_FALSE(explored(owner + reader + " if r0 == 0 skip 1\n free r0\n", model).use_after_free) << name_of(model);
  }
  // The reader says with a relaxed store that it is done: enough for SC and TSO only.
  const std::string tells =
      owner + " r1 = load y relaxed\n if r1 == 0 skip 1\n free r0\n" + reader + " store y 1 relaxed\n";
  EXPECT_FALSE(explored(tells, sc).use_after_free);
  EXPECT_FALSE(explored(tells, tso).use_after_free);
  EXPECT_TRUE(explored(tells, ra).use_after_free);
  EXPECT_TRUE(explored(tells, rc11).use_after_free);
}

TEST(OracleHeap, FindsDoubleFree) {
  const std::string looks = "thread\n r0 = load p acquire\n if r0 == 0 skip 1\n free r0\n";
  const std::string takes = "thread\n r0 = exchange p 0 acq_rel\n if r0 == 0 skip 1\n free r0\n";
  for (ReferenceModel model : all_models) {
    EXPECT_TRUE(explored(owner + looks + looks, model).double_free) << name_of(model);
    EXPECT_FALSE(explored(owner + takes + takes, model).double_free) << name_of(model);
    EXPECT_TRUE(explored("thread\n r0 = malloc\n free r0\n free r0\n", model).double_free) << name_of(model);
  }
}

TEST(OracleChoice, MakesAnExecutionAValue) {
  for (ReferenceModel model : all_models) {
    EXPECT_EQ(executions("thread\n r0 = choose 1 3\nthread\n r0 = choose 0 1\n", model), 6u) << name_of(model);
    EXPECT_EQ(
        executions("thread\n r0 = choose 0 1\n if r0 == 0 skip 1\n store x 1 relaxed\nthread\n r0 = load x relaxed\n",
                   model),
        3u)
        << name_of(model);
  }
}

TEST(OracleAssumption, BlocksItsThread) {
  for (ReferenceModel model : all_models) {
    EXPECT_EQ(executions("thread\n r0 = load x relaxed\n assume r0 == 1\nthread\n store x 1 relaxed\n", model), 1u);
    // Whoever waits for a blocked thread is in no deadlock, but an error before that is one.
    const std::string holds = "thread\n lock m\n store x 1 plain\n assume r0 == 1\n";
    const ReferenceResult result = explored(holds + "thread\n store x 2 plain\n lock m\n unlock m\n", model);
    EXPECT_TRUE(result.race) << name_of(model);
    EXPECT_FALSE(result.deadlock) << name_of(model);
    EXPECT_TRUE(result.executions.empty()) << name_of(model);
    // The lock may come first, too.
    EXPECT_FALSE(explored(holds + "thread\n lock m\n store x 2 plain\n unlock m\n", model).race) << name_of(model);
  }
}

TEST(OracleThreads, OrderTheirCreatorAroundThem) {
  const std::string text =
      "thread\n store x 1 plain\n create 2\n join 2\n r0 = load y plain\nthread\n r0 = load x plain\n store y 1 "
      "plain\n";
  const std::string not_joined = "thread\n create 2\n r0 = load y plain\nthread\n store y 1 plain\n";
  const std::string maybe = "thread\n r0 = choose 0 1\n if r0 == 1 skip 1\n create 2\nthread\n store y 1 relaxed\n";
  for (ReferenceModel model : all_models) {
    EXPECT_EQ(executions(text, model), 1u) << name_of(model);
    EXPECT_FALSE(explored(text, model).race) << name_of(model);
    EXPECT_TRUE(explored(not_joined, model).race) << name_of(model);
    EXPECT_EQ(executions(maybe, model), 2u) << name_of(model);
    EXPECT_TRUE(
        explored("thread\n lock m\n create 2\n join 2\n unlock m\nthread\n lock m\n unlock m\n", model).deadlock);
  }
}

// Store buffering where one thread is two, the second one created or joined in between: what is sequenced before the
// creation comes before the whole new thread in the order of seq_cst accesses as well.
TEST(OracleThreads, AreOrderedForSeqCst) {
  const std::string other = "thread\n store x 1 seq_cst\n r0 = load y seq_cst\n";
  const std::string created = "thread\n store y 1 seq_cst\n create 3\nthread\n r0 = load x seq_cst\n";
  const std::string joined = "thread\n create 3\n join 3\n r0 = load x seq_cst\nthread\n store y 1 seq_cst\n";
  for (ReferenceModel model : {sc, tso, rc11}) {
    EXPECT_EQ(executions(other + created, model), 3u) << name_of(model);
    EXPECT_EQ(executions(other + joined, model), 3u) << name_of(model);
  }
  EXPECT_EQ(executions(other + created, ra), 4u);
  EXPECT_EQ(executions(other + joined, ra), 4u);
}

TEST(OracleMisuse, IsNotJudged) {
  for (const char* text : {"thread\n unlock m\n", "thread\n store *r0 1 plain\n", "thread\n free r3\n",
                           "thread\n r0 = malloc\n store *r0 r0 plain\n r1 = load *r0 plain\n free r2\n"}) {
    EXPECT_TRUE(explored(text, sc).misused) << text;
  }
  EXPECT_FALSE(explored("thread\n r0 = malloc\n store *r0 r0 plain\n r1 = load *r0 plain\n free r1\n", sc).misused);
}

TEST(LitmusFeatures, PrintWhatTheyRead) {
  const std::string text =
      "barrier b 2\nbarrier c 1\nthread\n  r0 = trylock m\n  wait b\n  r1 = wait c\n  r2 = malloc\n  store *r2 r0+1 "
      "release\n"
      "  r3 = cas *r2 0 1 acq_rel relaxed\n  create 2\n  join 2\nthread\n  r0 = choose 0 2\n  assume r0 == 1\n  free "
      "r0\n"
      "  r1 = load *r0 acquire\n";
  const LitmusProgram program = program_of(text);
  EXPECT_EQ(print_program(program), text);
  EXPECT_EQ(count_events(program), 11 + 3);
  for (const char* bad :
       {"thread\n wait b\n", "thread\n barrier b 2\n", "barrier b 0\nthread\n", "thread\n create 1\n",
        "thread\n join 2\nthread\n", "thread\n create 2\nthread\n create 3\n", "thread\n create 2\n create 2\nthread\n",
        "thread\n r0 = choose 2 1\n", "thread\n free x\n", "thread\n trylock m\n", "thread\n store *x 1 plain\n"}) {
    EXPECT_FALSE(parse_program(bad, "bad")) << bad;
  }
}

// What the generator makes is defined, survives the round trip, is valid bytecode, and is about what it says.
class RandomFeature : public testing::TestWithParam<Feature> {};

TEST_P(RandomFeature, IsWellFormed) {
  const Feature feature = GetParam();
  const bool can_block = feature == Feature::assume || feature == Feature::mixed;
  bool race = false, use_after_free = false, double_free = false, deadlock = false, failed_trylock = false;
  for (std::uint64_t seed = 1; seed <= 150; seed++) {
    const LitmusProgram program = random_program(seed, {.feature = GetParam()});
    const std::string text = print_program(program);
    EXPECT_EQ(print_program(program_of(text)), text);
    EXPECT_LE(count_events(program), RandomProgramOptions{}.event_limit);
    EXPECT_TRUE(bytecode::verify(to_bytecode(program)).empty()) << text;
    for (const auto& [model, result] : explore_reference(program, {sc, rc11})) {
      EXPECT_FALSE(result.misused) << text;
      EXPECT_TRUE(!result.executions.empty() || result.deadlock || can_block) << text;
      race |= result.race;
      use_after_free |= result.use_after_free;
      double_free |= result.double_free;
      deadlock |= result.deadlock;
      for (const std::string& key : result.executions) {
        failed_trylock |= describe_key(program, key).find("R m=1") != std::string::npos;
      }
    }
  }
  EXPECT_TRUE(race);
  EXPECT_EQ(use_after_free, feature == Feature::heap || feature == Feature::mixed);
  EXPECT_EQ(double_free, feature == Feature::heap || feature == Feature::mixed);
  EXPECT_EQ(failed_trylock, feature == Feature::trylock || can_block);
  const bool can_deadlock = feature == Feature::trylock || feature == Feature::barrier;
  EXPECT_TRUE(deadlock || !can_deadlock);
}

TEST_P(RandomFeature, PruningChangesNothing) {
  for (std::uint64_t seed = 1000; seed < 1030; seed++) {
    const LitmusProgram program = random_program(seed, {.feature = GetParam(), .event_limit = 7});
    const auto pruned = explore_reference(program, every_model);
    const auto literal = explore_reference(program, every_model, {}, false);
    for (ReferenceModel model : all_models) {
      EXPECT_EQ(pruned.at(model).executions, literal.at(model).executions) << print_program(program);
      EXPECT_EQ(pruned.at(model).race, literal.at(model).race) << print_program(program);
      EXPECT_EQ(pruned.at(model).deadlock, literal.at(model).deadlock) << print_program(program);
      EXPECT_EQ(pruned.at(model).use_after_free, literal.at(model).use_after_free) << print_program(program);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, RandomFeature, testing::ValuesIn(all_features),
                         [](const auto& parameter) { return name_of(parameter.param); });

TEST(KeyFeatures, LeaveBarriersOutAndNameObjects) {
  using bytecode::RecordedKind;
  const LitmusProgram program =
      program_of("barrier b 1\nthread\n r0 = malloc\n store *r0 r0 plain\n wait b\n r1 = choose 0 3\n");
  bytecode::RecordedExecution execution;
  execution.threads = {{.id = 0, .function = 0}, {.id = 1, .function = 1}};
  const bytecode::Address object = bytecode::shared_base(1);
  execution.objects.push_back({.address = object, .size = 8, .thread = 1});
  const auto add = [&](std::uint32_t index, RecordedKind kind, bytecode::Address address, std::uint64_t value) {
    bytecode::RecordedEvent event;
    event.thread = 1;
    event.index = index;
    event.kind = kind;
    event.address = address;
    event.value.low = value;
    event.coherence_rank = 1;
    execution.events.push_back(event);
  };
  add(1, RecordedKind::allocate, object, 0);
  add(2, RecordedKind::write, object, object);
  add(3, RecordedKind::write, address_of_barrier(program, 0), 1);
  add(4, RecordedKind::choice, 0, 2);
  const std::string key = canonical_key(program, execution);
  EXPECT_TRUE(explore_reference(program, {sc}).at(sc).executions.contains(key)) << describe_key(program, key);
  const std::string full = full_key(execution);
  execution.events[2].value.low = 2;  // of the barrier
  EXPECT_EQ(canonical_key(program, execution), key);
  EXPECT_NE(full_key(execution), full);
}

// Two rounds of a counter, and a loop that is left as soon as a value is seen.
TEST(OracleFeatures, LoopsGoRoundAndCanBeLeft) {
  for (const ReferenceModel model : all_models) {
    EXPECT_EQ(executions("thread\n r0 = fetch_add x 1 relaxed\n again 1 times 2\n", model), 1u) << name_of(model);
    const char* twice = "thread\n r0 = load x relaxed\n again 1 times 1\nthread\n store x 1 relaxed\n";
    EXPECT_EQ(executions(twice, model), 3u) << name_of(model);  // 0 0, 0 1, 1 1
    const char* leaving =
        "thread\n r0 = load x relaxed\n if r0 == 1 skip 1\n again 2 times 1\nthread\n store x 1 relaxed\n";
    EXPECT_EQ(executions(leaving, model), 3u) << name_of(model);  // 1, 0 0, 0 1
  }
  EXPECT_EQ(count_events(program_of("thread\n r0 = fetch_add x 1 relaxed\n again 1 times 2\n")), 6);
  EXPECT_FALSE(parse_program("thread\n again 1 times 1\n", "bad"));
}

TEST(OracleFeatures, ElementsAreChosenByValues) {
  for (const ReferenceModel model : all_models) {
    // Who reads 1 writes a[1], else a[0].
    const char* text =
        "array a 2\nthread\n r0 = load x relaxed\n store a[r0] 1 relaxed\nthread\n store x 1 relaxed\n"
        "thread\n r0 = load a[1] relaxed\n";
    EXPECT_EQ(executions(text, model), 3u) << name_of(model);
    EXPECT_EQ(executions("array a 2\nthread\n r0 = choose 0 3\n store a[r0] 1 plain\n", model), 4u) << name_of(model);
  }
  for (const char* text : {"array a 3\n", "thread\narray a 2\n", "thread\nstore a[r0] 1 relaxed\n",
                           "array a 2\nthread\nstore a[r0 1 relaxed\n"}) {
    EXPECT_FALSE(parse_program(text, "bad")) << text;
  }
}

TEST(ShrinkFeatures, MakesLoopsShort) {
  const LitmusProgram program = program_of(
      "array a 2\nthread\n r0 = load a[0] relaxed\n store x 1 relaxed\n r0 = fetch_add a[r0] 1 relaxed\n"
      " again 3 times 2\n");
  const LitmusProgram small = shrink(program, [](const LitmusProgram& candidate) {
    return count_events(candidate) >= 3 && candidate.threads[0].back().kind == OperationKind::again;
  });
  EXPECT_EQ(print_program(small), "array a 2\nthread\n  store a[0] 1 relaxed\n  again 1 times 2\n");
}

TEST(ShrinkFeatures, KeepsWhatBelongsTogether) {
  const LitmusProgram program = program_of(
      "barrier b 3\nthread\n create 4\n join 4\n wait b\nthread\n r0 = trylock m\n if r0 == 1 skip 2\n store x 1 "
      "relaxed\n"
      " unlock m\n r1 = wait b\nthread\n wait b\nthread\n lock m\n unlock m\n store x 2 relaxed\n");
  const LitmusProgram trying = shrink(program, [](const LitmusProgram& candidate) {
    const ReferenceResult result = explore_reference(candidate, {sc}).at(sc);
    if (result.misused) return false;
    for (const std::string& key : result.executions) {
      if (describe_key(candidate, key).find("R m=1") != std::string::npos) return true;
    }
    return false;
  });
  EXPECT_EQ(print_program(trying),
            "barrier b 1\nthread\n  r0 = trylock m\n  if r0 == 1 skip 1\n  unlock m\nthread\n  lock m\n  unlock m\n");
}

}  // namespace
}  // namespace heddle::cross_check
