// When an interleaving exists, that it is one; when none exists, that the cycle is the right one.
#include "report/explain_order.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "report/events_that_matter.h"
#include "report/example_executions.h"

namespace heddle::report {
namespace {

Order order_of(const Example& example, const std::vector<std::uint32_t>& last = {}) {
  return find_order(example.violation.execution, steps_of(example.violation.execution), last);
}

// Runs the steps in the given order on a memory of zeroes: every read must see what the execution says.
void expect_shows(const Example& example, const Order& order) {
  const auto& events = example.violation.execution.events;
  const std::vector<Step> steps = steps_of(example.violation.execution);
  ASSERT_EQ(order.interleaving.size(), steps.size());
  std::map<bytecode::Address, std::uint64_t> memory;
  std::map<std::uint32_t, std::uint32_t> next;
  const auto run = [&](const bytecode::RecordedEvent& event) {
    EXPECT_EQ(event.index, next[event.thread]++);
    if (event.kind == bytecode::RecordedKind::read) {
      EXPECT_EQ(event.value.low, memory[event.address]);
    }
    if (event.kind == bytecode::RecordedKind::write) memory[event.address] = event.value.low;
  };
  for (const std::uint32_t s : order.interleaving) {
    run(events[steps[s].first]);
    if (steps[s].second) run(events[*steps[s].second]);
  }
}

TEST(ExplainOrder, InterleavingsShowTheExecution) {
  expect_shows(lock_cycle(), order_of(lock_cycle()));
  expect_shows(plain_race(), order_of(plain_race(), plain_race().violation.events));
  expect_shows(freed_too_early(), order_of(freed_too_early()));
}

TEST(ExplainOrder, LostUpdateNeedsSwitches) {
  Example e;
  const auto x = e.global("x");
  const auto one = e.thread("worker"), two = e.thread("worker");
  e.read(one, 5, x, 0, MemoryOrder::relaxed);
  e.write(one, 6, x, 1, MemoryOrder::relaxed, 1);
  e.read(two, 5, x, 0, MemoryOrder::relaxed);
  e.write(two, 6, x, 1, MemoryOrder::relaxed, 2);
  expect_shows(e, order_of(e));
}

TEST(ExplainOrder, CycleOfMessagePassing) {
  const Example e = message_passing(MemoryOrder::relaxed, MemoryOrder::relaxed);
  const Order order = order_of(e);
  EXPECT_TRUE(order.interleaving.empty());
  std::vector<Link> links;
  for (const CycleStep& step : order.cycle) links.push_back(step.next);
  EXPECT_EQ(links, (std::vector<Link>{Link::program_order, Link::reads_from, Link::program_order, Link::from_read}));
}

TEST(ExplainOrder, ProgramOrderOverOtherEventsIsOneLink) {
  Example e;
  const auto x = e.global("x"), y = e.global("y"), z = e.global("z");
  const auto left = e.thread("left"), right = e.thread("right");
  const auto left_x = e.write(left, 1, x, 1, MemoryOrder::relaxed, 1);
  for (unsigned i = 0; i < 5; ++i) e.write(left, 2, z, i, MemoryOrder::relaxed, i + 1);
  e.write(left, 3, y, 2, MemoryOrder::relaxed, 1);
  e.write(right, 4, y, 1, MemoryOrder::relaxed, 2);
  const auto right_x = e.write(right, 5, x, 2, MemoryOrder::relaxed, 2);
  EXPECT_FALSE(order_of(e).interleaving.empty());
  std::swap(e.violation.execution.events[left_x].coherence_rank, e.violation.execution.events[right_x].coherence_rank);
  const Order order = order_of(e);
  EXPECT_TRUE(order.interleaving.empty());
  EXPECT_EQ(order.cycle.size(), 4u);
}

TEST(ExplainOrder, BlamesTheWeakAccess) {
  const auto blamed = [](MemoryOrder write, MemoryOrder read, const std::string& model) {
    const Example e = message_passing(write, read);
    const Names names(e.program, e.violation.execution);
    return tell_reordering(names, steps_of(e.violation.execution), order_of(e), model, 1);
  };
  const std::string weak_read = blamed(MemoryOrder::release, MemoryOrder::relaxed, "rc11");
  EXPECT_NE(weak_read.find("the read of line 20 is only relaxed"), std::string::npos) << weak_read;
  EXPECT_EQ(weak_read.find("line 13"), std::string::npos) << weak_read;
  const std::string nothing = blamed(MemoryOrder::release, MemoryOrder::acquire, "rc11");
  EXPECT_NE(nothing.find("the threads do not agree on one order"), std::string::npos) << nothing;
}

TEST(EventsThatMatter, LeavesOutWhatNobodyElseTouches) {
  Example e = message_passing(MemoryOrder::relaxed, MemoryOrder::relaxed);
  const auto own = e.global("own");
  const std::uint32_t private_write = e.write(2, 23, own, 1, MemoryOrder::plain);
  const std::vector<Step> steps = steps_of(e.violation.execution);
  const ThatMatter matter = events_that_matter(e.violation, steps, {});
  unsigned kept = 0;
  for (const char keep : matter.keep) kept += keep != 0 ? 1 : 0;
  EXPECT_EQ(kept, 4u);
  EXPECT_EQ(matter.keep[step_of_event(e.violation.execution, steps)[private_write]], 0);
}

TEST(EventsThatMatter, KeepsTheLastOfMany) {
  Example e;
  const auto x = e.global("x");
  const auto one = e.thread("one"), two = e.thread("two");
  std::uint32_t last = 0;
  for (std::uint32_t i = 1; i <= 50; ++i) last = e.write(one, 5, x, i, MemoryOrder::relaxed, i);
  e.read(two, 9, x, 50, MemoryOrder::relaxed, last);
  e.fail(bytecode::ErrorKind::assertion, "", two, 9);
  const std::vector<Step> steps = steps_of(e.violation.execution);
  const ThatMatter matter = events_that_matter(e.violation, steps, {});
  EXPECT_EQ(matter.left_out, 38u);
  EXPECT_EQ(matter.keep[step_of_event(e.violation.execution, steps)[last]], 1);
}

}  // namespace
}  // namespace heddle::report
