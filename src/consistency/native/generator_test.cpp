// The generator with its cache: code that is found is the code that was made, and keys tell different code apart.
#include "consistency/native/generator.h"

#include <gtest/gtest.h>

#include <bit>
#include <filesystem>
#include <fstream>

#include "consistency/native/label_sets.h"
#include "consistency/native_runner.h"
#include "consistency/test_graphs.h"

namespace heddle::consistency::native {
namespace {

namespace fs = std::filesystem;
using namespace heddle::consistency::test;

class GeneratorTest : public ::testing::Test {
 protected:
  GeneratorTest() : model_(load_model("sc")), special_(model_.compiled(), {}) {
    std::string pattern = (fs::temp_directory_path() / "heddle-cache-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~GeneratorTest() override { fs::remove_all(folder_); }

  CodeRequest request() const { return {special_, model_.view_count(), true}; }
  Generator cached() const { return Generator(std::make_unique<ObjectCache>(folder_)); }

  // Store buffering: forbidden by SC if both reads miss the other thread's write.
  void expect_works(const NativeCode& code) const {
    for (const bool both_miss : {true, false}) {
      ExecutionGraph graph(model_.view_count());
      NativeRunner runner(graph, code);
      for (int i = 0; i < 2; ++i) {
        graph.add_thread();
        graph.add_location(0x1000 + 8 * i, 8, {});
      }
      EventId written[2];
      for (ThreadId t = 0; t < 2; ++t) {
        const EventId w = graph.add_event(t, make_event(EventKind::write, write_labels(seq_cst), t));
        runner.update_views(w);
        graph.place_write(w, graph.location(t).last_write);
        EXPECT_EQ(runner.consistent(w), 1u);
        written[t] = w;
      }
      for (ThreadId t = 0; t < 2; ++t) {
        const LocationId other = 1 - t;
        const EventId r = graph.add_event(t, make_event(EventKind::read, read_labels(seq_cst), other));
        graph.set_source(r, both_miss || t == 0 ? graph.location(other).initial : written[other]);
        runner.update_views(r);
        EXPECT_EQ(runner.consistent(r), t == 0 || !both_miss ? 1u : 0u);
      }
    }
  }

  Model model_;
  SpecialisedModel special_;
  std::string folder_;
};

TEST_F(GeneratorTest, FindsOnlyWhatWasMade) {
  Generator first = cached();
  EXPECT_FALSE(first.find(request()));
  const auto made = first.make(request());
  ASSERT_TRUE(made);
  expect_works(*made);
  ASSERT_TRUE(first.find(request()));
  Generator second = cached();
  const auto found = second.find(request());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->marks_per_event, made->marks_per_event);
  expect_works(*found);
  EXPECT_FALSE(Generator(nullptr).find(request()));
}

TEST_F(GeneratorTest, CodeOutlivesItsGenerator) {
  std::optional<NativeCode> code;
  {
    Generator generator(nullptr);
    code = generator.make(request());
  }
  ASSERT_TRUE(code);
  expect_works(*code);
}

TEST_F(GeneratorTest, MakesAnewWhatIsDamaged) {
  ASSERT_TRUE(cached().make(request()));
  for (const auto& file : fs::directory_iterator(folder_)) {
    std::fstream bytes(file.path(), std::ios::in | std::ios::out | std::ios::binary);
    bytes.seekp(-10, std::ios::end);
    bytes << "damaged";
  }
  Generator generator = cached();
  EXPECT_FALSE(generator.find(request()));
  const auto made = generator.make(request());
  ASSERT_TRUE(made);
  expect_works(*made);
  EXPECT_TRUE(cached().find(request()));
}

TEST_F(GeneratorTest, WorksWithoutAUsableFolder) {
  Generator generator(std::make_unique<ObjectCache>("/dev/null/cache"));
  const auto made = generator.make(request());
  ASSERT_TRUE(made);
  expect_works(*made);
  bool said = false;
  for (const std::string& remark : generator.remarks()) said = said || remark.starts_with("cache: ");
  EXPECT_TRUE(said);
}

TEST_F(GeneratorTest, KeysTellRequestsApart) {
  std::vector<std::string> keys{key_of(request())};
  keys.push_back(key_of({special_, model_.view_count(), false}));
  keys.push_back(key_of({special_, model_.view_count(), true, false}));
  keys.push_back(key_of({special_, model_.view_count() + 1, true}));
  for (const char* name : {"tso", "ra", "rc11"}) {
    const Model other = load_model(name);
    keys.push_back(key_of({SpecialisedModel(other.compiled(), {}), other.view_count(), true}));
  }
  const SpecialisedModel fitted(model_.compiled(), {read_labels(seq_cst), write_labels(seq_cst)});
  const SpecialisedModel turned(model_.compiled(), {write_labels(seq_cst), read_labels(seq_cst)});
  const SpecialisedModel more(model_.compiled(), {read_labels(seq_cst), write_labels(seq_cst), label_create});
  EXPECT_EQ(key_of({fitted, 1, true}), key_of({turned, 1, true}));
  keys.push_back(key_of({fitted, 1, true}));
  keys.push_back(key_of({more, 1, true}));
  for (std::size_t a = 0; a < keys.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(keys[a], keys[b]) << a << " and " << b;
}

TEST_F(GeneratorTest, RefusesLabelsItWasNotMadeFor) {
  const SpecialisedModel fitted(model_.compiled(), {read_labels(seq_cst), write_labels(seq_cst)});
  const auto code = Generator(nullptr).make({fitted, model_.view_count(), true});
  ASSERT_TRUE(code);
  ExecutionGraph graph(model_.view_count());
  graph.add_thread();
  graph.add_location(0x1000, 8, {});
  NativeRunner runner(graph, *code);
  runner.update_views(graph.add_event(0, make_event(EventKind::write, write_labels(seq_cst), 0)));
  EXPECT_THROW(runner.update_views(graph.add_event(0, make_event(EventKind::fence, fence_labels(seq_cst)))),
               InternalError);
}

TEST(LabelSets, CheapestGuard) {
  const LabelSet all({0b0011, 0b0101, 0b1001});
  const auto one = guard_for(LabelSet({0b0101}), all);
  ASSERT_TRUE(one);
  EXPECT_EQ(std::popcount(one->mask), 1);
  EXPECT_TRUE(one->holds(0b0101) && !one->holds(0b0011) && !one->holds(0b1001));
  EXPECT_TRUE(guard_for(all, all)->trivial());
  const LabelSet square({0b00, 0b01, 0b10, 0b11});
  EXPECT_FALSE(guard_for(LabelSet({0b00, 0b11}), square));  // no conjunction tells them apart
  EXPECT_EQ(std::popcount(guard_for(LabelSet({0b11}), square)->mask), 2);
}

}  // namespace
}  // namespace heddle::consistency::native
