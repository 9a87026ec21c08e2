// The text is what the C library prints.
#include "validate/format.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>

namespace heddle::validate {
namespace {

constexpr bytecode::Address format_at = 0x1000, string_at = 0x2000;

struct Text {
  std::string text;
  bool readable = true;
};

Text format(const std::string& pattern, const std::vector<std::uint64_t>& arguments, const std::string& string = "") {
  Text result;
  std::size_t next = 0;
  const auto next_argument = [&](bool two_slots, Value& value) {
    if (two_slots) next += next % 2;
    if (next + (two_slots ? 2 : 1) > arguments.size()) return false;
    value.low = arguments[next++];
    if (two_slots) value.high = arguments[next++];
    return true;
  };
  const auto byte_at = [&](bytecode::Address address, std::uint8_t& byte) {
    const std::string& source = address >= string_at ? string : pattern;
    const bytecode::Address offset = address - (address >= string_at ? string_at : format_at);
    if (offset > source.size()) return false;
    byte = offset == source.size() ? 0 : static_cast<std::uint8_t>(source[offset]);
    return true;
  };
  result.text = formatted(format_at, next_argument, byte_at, result.readable);
  return result;
}

template <class... Arguments>
std::string library(const char* pattern, Arguments... arguments) {
  char buffer[300];
  std::snprintf(buffer, sizeof buffer, pattern, arguments...);
  return buffer;
}

std::uint64_t bits_of(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

TEST(Format, Integers) {
  for (const char* pattern : {"%d", "%5d|", "%-7i|", "%+d", "% d", "%05d", "%.3d", "%8.3d", "%u", "%x", "%#X", "%o"})
    for (const int value : {0, 1, -1, 42, -123456})
      EXPECT_EQ(format(pattern, {static_cast<std::uint32_t>(value)}).text, library(pattern, value)) << pattern;
  EXPECT_EQ(format("%ld %hhd %hu %llx", {~0ull, 0x1ff, 0x12345, 1ull << 40}).text, "-1 -1 9029 10000000000");
  EXPECT_EQ(format("%*d|%-*d|%.*d", {5, 1, 4, 2, 3, 7}).text, library("%*d|%-*d|%.*d", 5, 1, 4, 2, 3, 7));
  EXPECT_EQ(format("%*d|", {static_cast<std::uint64_t>(-5), 1}).text, library("%*d|", -5, 1));
}

TEST(Format, OtherConversions) {
  EXPECT_EQ(format("%c%c%%", {'a', 'b'}).text, "ab%");
  EXPECT_EQ(format("[%s] [%7s] [%-7s] [%.2s]", {string_at, string_at, string_at, string_at}, "word").text,
            library("[%s] [%7s] [%-7s] [%.2s]", "word", "word", "word", "word"));
  EXPECT_EQ(format("%s %p %p", {0, 0, 0x1234}).text, "(null) (nil) 0x1234");
  for (const char* pattern : {"%f", "%.2e", "%10.3g", "%a", "%+.0f", "%G"})
    for (const double value : {0.0, 1.5, -2.25e10, 1e-8})
      EXPECT_EQ(format(pattern, {bits_of(value)}).text, library(pattern, value)) << pattern;
  const long double wide = 1.25L;
  std::uint64_t slots[2] = {};
  std::memcpy(slots, &wide, 10);
  EXPECT_EQ(format("%d %Lf", {3, 0, slots[0], slots[1]}).text, library("%d %Lf", 3, wide));
  EXPECT_EQ(format("%y 100%", {}).text, "%y 100");
}

TEST(Format, WhatCannotBeRead) {
  const Text missing = format("%d", {});
  EXPECT_FALSE(missing.readable);
  const Text string = format("<%s>", {string_at + 50}, "short");
  EXPECT_FALSE(string.readable);
  EXPECT_EQ(string.text, "<?>");
}

}  // namespace
}  // namespace heddle::validate
