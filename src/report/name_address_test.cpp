// Names of globals, fields, elements, heap and stack objects, threads; values by type.
#include "report/name_address.h"

#include <gtest/gtest.h>

#include "report/example_executions.h"

namespace heddle::report {
namespace {

using bytecode::Type;

class NameAddress : public testing::Test {
 protected:
  NameAddress() {
    auto& types = example_.program.types;
    types.resize(12);
    types[3] = {Type::Kind::unsigned_integer, "uint64_t", 8, {}, 0, 0};
    types[4] = {Type::Kind::structure, "struct slot", 16, {{"sequence", 0, 3}, {"value", 8, 1}}, 0, 0};
    types[5] = {Type::Kind::array, "struct slot[4]", 64, {}, 4, 4};
    types[6] = {Type::Kind::structure, "struct queue", 72, {{"head", 0, 3}, {"slots", 8, 5}}, 0, 0};
    types[7] = {Type::Kind::pointer, "int *", 8, {}, 1, 0};
    types[8] = {Type::Kind::structure, "std::__atomic_base<int>", 4, {{"_M_i", 0, 1}}, 0, 0};
    types[9] = {Type::Kind::structure, "std::atomic<int>", 4, {{"", 0, 8}}, 0, 0};
    types[10] = {Type::Kind::boolean, "bool", 1, {}, 0, 0};
    types[11] = {Type::Kind::structure, "struct pair", 8, {{"tag", 0, 1}, {"index", 4, 1}}, 0, 0};
    queue_ = example_.global("queue", 6);
    number_ = example_.global("number", 1);
  }
  Names names() const { return {example_.program, example_.violation.execution}; }

  Example example_;
  bytecode::Address queue_ = 0, number_ = 0;
};

TEST_F(NameAddress, FieldsAndElements) {
  EXPECT_EQ(names().address(queue_, 8).text, "queue.head");
  EXPECT_EQ(names().address(queue_ + 8 + 2 * 16, 8).text, "queue.slots[2].sequence");
  EXPECT_EQ(names().address(queue_ + 8 + 2 * 16, 8).type, 3u);
  EXPECT_EQ(names().address(queue_ + 8 + 3 * 16 + 8, 4).text, "queue.slots[3].value");
  EXPECT_EQ(names().address(queue_ + 8 + 3 * 16 + 8 + 1, 1).text, "queue.slots[3].value+1");
  EXPECT_EQ(names().address(number_ + 4, 4).text, "the byte just past the end of number");
  EXPECT_EQ(names().address(number_ + 10, 4).text, "6 bytes past the end of number");
  EXPECT_EQ(names().address(0x10, 4).text, "0x10");
  EXPECT_FALSE(names().address(0x10, 4).known);
}

TEST_F(NameAddress, NamesOfTheImplementationAreLeftOut) {
  const auto counter = example_.global("counter", 9);
  EXPECT_EQ(names().address(counter, 4).text, "counter");
  EXPECT_EQ(names().value({0xffffffff, 0}, 4, counter), "-1");
}

TEST_F(NameAddress, HeapAndStackObjects) {
  const auto worker = example_.thread("worker");
  auto& objects = example_.violation.execution.objects;
  const auto base = bytecode::shared_base(worker);
  objects.push_back({base, 16, bytecode::ObjectKind::heap, worker, 0, example_.at(worker, 31), std::nullopt});
  EXPECT_EQ(names().address(base + 8, 4).text, "malloc@example.c:31[8]");
  objects.push_back({base + 8192, 16, bytecode::ObjectKind::heap, worker, 0, example_.at(worker, 31), std::nullopt});
  EXPECT_EQ(names().address(base + 8192, 4).text, "malloc@example.c:31#2[0]");
  example_.program.objects_of_code.push_back({"node", 4, {}});
  objects.push_back({base + 16384, 16, bytecode::ObjectKind::stack, worker, 1, example_.at(worker, 33), std::nullopt});
  EXPECT_EQ(names().address(base + 16384 + 8, 4).text, "node.value");
}

TEST_F(NameAddress, ValuesByType) {
  const Names n = names();
  EXPECT_EQ(n.value_of_type({0xfffffffe, 0}, 4, 1), "-2");
  EXPECT_EQ(n.value_of_type({~std::uint64_t{0}, 0}, 8, 3), "18446744073709551615");
  EXPECT_EQ(n.value_of_type({1, 0}, 1, 10), "true");
  EXPECT_EQ(n.value_of_type({0, 0}, 8, 7), "NULL");
  EXPECT_EQ(n.value_of_type({number_, 0}, 8, 7), "&number");
  EXPECT_EQ(n.value_of_type({queue_ + 8 + 16, 0}, 8, 7), "&queue.slots[1].sequence");
  EXPECT_EQ(n.value_of_type({0x123, 0}, 8, 7), "0x123");
  EXPECT_EQ(n.value_of_type({(std::uint64_t{5} << 32) | 3, 0}, 8, 11), "{tag = 3, index = 5}");
  EXPECT_EQ(n.value_of_type({0xffffffff, 0}, 4, 0), "-1");
  EXPECT_EQ(n.value_of_type({4000000000u, 0}, 4, 0), "4000000000");
}

TEST_F(NameAddress, ThreadsOfTheSameFunctionAreNumbered) {
  example_.thread("worker");
  EXPECT_EQ(names().thread(1), "worker");
  example_.thread("worker");
  EXPECT_EQ(names().thread(1), "worker #1");
  EXPECT_EQ(names().thread_with_number(2), "thread 2 (worker #2)");
  EXPECT_EQ(names().thread(9), "thread 9");
  EXPECT_EQ(readable_function("_ZN5queue4pushEi"), "queue::push");
}

TEST_F(NameAddress, MalformedTypeTablesDoNoHarm) {
  example_.program.types[4] = {Type::Kind::structure, "loop", 8, {{"self", 0, 4}}, 0, 0};
  const auto loop = example_.global("loop", 4);
  EXPECT_EQ(names().address(loop, 4).text.substr(0, 9), "loop.self");
  example_.program.types[4].fields[0].type = 999;
  EXPECT_EQ(names().address(loop, 4).text, "loop");
}

}  // namespace
}  // namespace heddle::report
