// Thread states as values, and the pool and private state behind them.
#include "machine/thread_state.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace heddle::machine {
namespace {

static_assert(std::is_nothrow_move_constructible_v<ThreadState> && std::is_nothrow_move_assignable_v<ThreadState>);
static_assert(std::is_nothrow_copy_constructible_v<ThreadState>);

TEST(Pool, ReusesBlocksOfTheSameSize) {
  auto* pool = new Pool;
  void* first = pool->allocate(100);
  void* large = pool->allocate(1 << 20);
  pool->release(first, 100);
  EXPECT_EQ(pool->allocate(97), first);
  void* other = pool->allocate(60);
  EXPECT_NE(other, first);
  EXPECT_EQ(pool->live_blocks(), 3u);
  pool->release(large, 1 << 20);
  EXPECT_EQ(pool->live_blocks(), 2u);
  pool->retire();  // the sanitizer build sees whether the two blocks that are left keep it alive
  pool->release(first, 97);
  pool->release(other, 60);
}

TEST(Frame, ReleasesItsCallersWithItself) {
  auto* pool = new Pool;
  const bytecode::Function function;
  Frame* outer = Frame::make(*pool, 2);
  outer->caller = nullptr;
  Frame* inner = Frame::make(*pool, 3);
  outer->function = inner->function = &function;
  inner->caller = outer;
  inner->registers()[2] = 9;
  Frame* copy = inner->clone();
  EXPECT_EQ(outer->references, 2u);
  EXPECT_EQ(copy->registers()[2], 9u);
  Frame::release(inner);
  EXPECT_EQ(pool->live_blocks(), 2u);
  Frame::release(copy);
  EXPECT_EQ(pool->live_blocks(), 0u);
  pool->retire();
}

class PrivateStateTest : public ::testing::Test {
 protected:
  ~PrivateStateTest() override {
    PrivateState::release(state_);
    EXPECT_EQ(pool_->live_blocks(), 0u);
    pool_->retire();
  }
  Pool* pool_ = new Pool;
  bytecode::Program program_;
  PrivateState* state_ = PrivateState::make(*pool_, 3, false, program_);
};

TEST_F(PrivateStateTest, AClonedStateIsIndependent) {
  bytecode::Address address = state_->add_object(8, 8);
  state_->store(*state_->find(address, 8), address, 8, {5, 0});
  state_->push_held({100, 1, 0, 0});
  PrivateState* copy = state_->clone();
  copy->store(*copy->find(address, 8), address, 8, {6, 0});
  copy->push_held({200, 1, 0, 0});
  copy->add_object(100, 8);
  EXPECT_EQ(state_->load(*state_->find(address, 8), address, 8).low, 5u);
  EXPECT_EQ(copy->load(*copy->find(address, 8), address, 8).low, 6u);
  EXPECT_EQ(state_->find_held(200), nullptr);
  EXPECT_NE(copy->find_held(100), nullptr);
  EXPECT_EQ(state_->object_count(), 1u);
  PrivateState::release(copy);
}

TEST_F(PrivateStateTest, InitialisedBytesAreTrackedAcrossWords) {
  bytecode::Address address = state_->add_object(200, 8);
  const PrivateObject* object = state_->find(address, 200);
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(state_->find(address, 201), nullptr);
  EXPECT_EQ(state_->find(address + 200, 1), nullptr);
  state_->fill(*object, address + 60, 80, 1);
  EXPECT_FALSE(state_->initialised(*object, address + 59, 2));
  EXPECT_TRUE(state_->initialised(*object, address + 60, 80));
  EXPECT_FALSE(state_->initialised(*object, address + 60, 81));
  state_->copy(*object, address + 50, *object, address + 58, 10);  // two holes and eight bytes
  EXPECT_FALSE(state_->initialised(*object, address + 51, 1));
  EXPECT_TRUE(state_->initialised(*object, address + 52, 8));
}

TEST_F(PrivateStateTest, DeadAndMissingObjectsAreToldApart) {
  bytecode::Address kept = state_->add_object(8, 8);
  bytecode::Address dead = state_->add_object(8, 8);
  state_->remove_objects(1);
  bytecode::Address young = state_->add_object(8, 64);
  EXPECT_GT(young, dead);
  EXPECT_EQ(state_->why_not(dead), bytecode::ErrorKind::use_after_free);
  EXPECT_EQ(state_->why_not(dead + 7), bytecode::ErrorKind::use_after_free);
  EXPECT_EQ(state_->why_not(kept + 8), bytecode::ErrorKind::out_of_bounds);
  EXPECT_EQ(state_->why_not(young - 1), bytecode::ErrorKind::out_of_bounds);
  EXPECT_EQ(state_->why_not(young + (1 << 20)), bytecode::ErrorKind::out_of_bounds);
  EXPECT_FALSE(state_->initialised(*state_->find(young, 8), young, 1));
}

}  // namespace
}  // namespace heddle::machine
