#include "machine/format.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>

#include "machine/arithmetic.h"
#include "machine/test_support.h"

namespace heddle::machine {
namespace {

using namespace testing;

Wide bits_of(long double value) {
  Wide result = 0;
  std::memcpy(&result, &value, 10);
  return result;
}

std::uint64_t slot(int value) { return static_cast<std::uint32_t>(value); }
std::uint64_t slot(long value) { return static_cast<std::uint64_t>(value); }
std::uint64_t slot(unsigned long value) { return value; }
std::uint64_t slot(double value) { return std::bit_cast<std::uint64_t>(value); }
std::uint64_t slot(const char* value) { return reinterpret_cast<std::uint64_t>(value); }

// Here strings lie in this process's own memory.
template <class... Arguments>
std::string formatted(const char* format, Arguments... arguments) {
  std::vector<std::uint64_t> slots;
  [[maybe_unused]] const auto add = [&](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), long double>) {
      if (slots.size() % 2 != 0) slots.push_back(0x5555);
      slots.push_back(value_of(bits_of(argument)).low);
      slots.push_back(value_of(bits_of(argument)).high);
    } else {
      slots.push_back(slot(argument));
    }
  };
  (add(arguments), ...);
  std::size_t next = 0;
  FormatInput input;
  input.format = slot(format);
  input.next_argument = [&](Value& value, bool two_slots) {
    if (two_slots) next += next % 2;
    if (next + two_slots >= slots.size()) return false;
    value.low = slots[next++];
    if (two_slots) value.high = slots[next++];
    return true;
  };
  input.byte_at = [](Address address, std::uint8_t& byte) {
    byte = *reinterpret_cast<const std::uint8_t*>(address);
    return true;
  };
  std::string text;
  EXPECT_TRUE(format_text(input, text)) << format;
  return text;
}

template <class... Arguments>
std::string expected(const char* format, Arguments... arguments) {
  char buffer[4096];
  std::snprintf(buffer, sizeof buffer, format, arguments...);
  return buffer;
}

template <class... Arguments>
void compare(const char* format, Arguments... arguments) {
  EXPECT_EQ(formatted(format, arguments...), expected(format, arguments...)) << format;
}

TEST(Format, IntegersAsTheCLibraryPrintsThem) {
  const char* formats[] = {"%d",   "%i", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%.3d",   "%8.3d", "%-8.3d|", "%hd",
                           "%hhd", "%u", "%x",   "%X",    "%#x",  "%#o", "%o",  "%#010x", "%hu",   "%hhx",    "%+.0d"};
  for (const char* format : formats)
    for (int value : {0, 1, -1, 42, 123456, -32769, 2147483647, -2147483647 - 1}) compare(format, value);
  const char* long_formats[] = {"%ld", "%lu", "%lx", "%lld", "%llu", "%zu", "%jd", "%td", "%20ld|", "%-20lx|"};
  for (const char* format : long_formats)
    for (long value : {0L, -1L, 1L << 40, -(1L << 62)}) compare(format, value);
}

TEST(Format, FloatsAsTheCLibraryPrintsThem) {
  const char* formats[] = {"%f",    "%F",      "%e",       "%E",  "%g",  "%G",      "%a",  "%.0f",
                           "%.10f", "%12.3f|", "%-12.3e|", "%+g", "%#g", "%010.2f", "%lf", "% .1f"};
  for (const char* format : formats)
    for (double value : {0.0, -0.0, 1.0, 3.14159265, -1e300, 1e-300, 123456789.0, 1.0 / 0.0}) compare(format, value);
}

TEST(Format, StringsCharactersAndTheRest) {
  compare("plain");
  compare("100%%");
  compare("%s and %s", "one", "two");
  compare("%10s|%-10s|%.2s|%5.1s|", "right", "left", "cut", "both");
  compare("%c%c%3c|%-3c|", 'a', 'b', 'c', 'd');
  compare("%*d|%-*d|%.*f|%*s|", 6, 1, 4, 2, 2, 3.14159, -6, "x");
  compare("%d %s %g %lu %c", -1, "mixed", 2.5, 77ul, '!');
  EXPECT_EQ(formatted("%p", 0x1234ul), "0x1234");
  EXPECT_EQ(formatted("%p", 0ul), "(nil)");
  EXPECT_EQ(formatted("%s", 0ul), "(null)");
}

TEST(Format, NothingInAFormatIsDangerous) {
  EXPECT_EQ(formatted("%"), "");
  EXPECT_EQ(formatted("%n", 0ul), "%n");
  EXPECT_EQ(formatted("%999999999d", 1).size(), 4096u);
  EXPECT_EQ(formatted("%.999999999d", 1).size(), 4096u);
  EXPECT_EQ(formatted("%*d", 2147483647, 1).size(), 4096u);
}

TEST(Format, LongDoublesAsTheCLibraryPrintsThem) {
  for (const char* format : {"%Lf", "%.20Lf", "%Le", "%Lg", "%LA", "%30.25Lf|"})
    for (long double value : {0.0L, 0.1L, -1.0L / 3, 1e4000L, static_cast<long double>(INFINITY)})
      compare(format, value);
  compare("%d %Lg %d %d %Lg", 1, 0.1L, 2, 3, 0.2L);
}

TEST(Format, MissingArgumentsAndUnreadableStringsAreReported) {
  FormatInput input;
  std::string format = "%d %s", text;
  input.next_argument = [](Value&, bool) { return false; };
  input.byte_at = [&](Address address, std::uint8_t& byte) {
    return address <= format.size() && (byte = static_cast<std::uint8_t>(format.c_str()[address]), true);
  };
  EXPECT_FALSE(format_text(input, text));
}

TEST(Print, DeliversTextOnReplayAndCountsAlways) {
  for (bool output : {false, true}) {
    ProgramBuilder program;
    Address format = program.constant_text("x = %d, %s\n"), word = program.constant_text("word");
    Address shared = program.global("shared", 8);
    FunctionBuilder f("f");
    f.library(LibraryCall::put_string, {f.constant(word), f.constant(1)});
    f.library(LibraryCall::put_character, {f.constant('c')});
    Operand count = f.library(LibraryCall::print, {f.constant(0), f.constant(format), f.constant(5), f.constant(word)});
    f.library(LibraryCall::print, {f.constant(0), f.constant(format), f.constant(6), f.constant(shared)});
    f.return_values({count});
    program.add(f);
    MachineOptions options{.format_output = output};
    options.peek = [=](Address address, std::uint8_t& byte) {
      byte = address == shared ? 's' : 0;
      return address >= shared && address < shared + 8;
    };
    OneThread thread(std::move(program), options);
    Action action = thread.run();
    if (output) {
      for (const char* text : {"word\n", "c", "x = 5, word\n", "x = 6, s\n"}) {
        ASSERT_EQ(action.kind, ActionKind::print);
        EXPECT_EQ(*action.text, text);
        action = thread.proceed();
      }
    }
    EXPECT_EQ(action.kind, ActionKind::finish);
    EXPECT_EQ(action.value.low, 12u);
  }
}

TEST(Print, SnprintfFillsPrivateAndSharedBuffers) {
  for (auto kind : {StackObjectKind::private_object, StackObjectKind::shared_object}) {
    ProgramBuilder program;
    Address format = program.constant_text("<%d>");
    FunctionBuilder f("f");
    Operand buffer = f.stack_object(8, kind);
    Operand count =
        f.library(LibraryCall::format_to_buffer, {buffer, f.constant(4), f.constant(format), f.constant(123)});
    if (kind == StackObjectKind::private_object) {
      f.return_values(
          {f.binary(Opcode::add, f.load(buffer, 32), f.binary(Opcode::shl, count, f.constant(32), 64), 64)});
    } else {
      f.return_values({count});
    }
    program.add(f);
    OneThread thread(std::move(program));
    Action action = thread.run();
    if (kind == StackObjectKind::private_object) {
      EXPECT_EQ(action.value.low, (std::uint64_t{5} << 32) + '<' + ('1' << 8) + ('2' << 16));
      continue;
    }
    ASSERT_EQ(action.kind, ActionKind::allocate);
    action = thread.proceed();
    for (char expected_byte : {'<', '1', '2', '\0'}) {
      ASSERT_EQ(action.kind, ActionKind::write);
      EXPECT_EQ(action.value.low, static_cast<std::uint64_t>(expected_byte));
      action = thread.proceed();
    }
    EXPECT_EQ(action.kind, ActionKind::release);
    EXPECT_EQ(thread.proceed().value.low, 5u);
  }
}

TEST(Variadic, ArgumentsTravelThroughAVaList) {
  for (auto kind : {StackObjectKind::private_object, StackObjectKind::shared_object}) {
    ProgramBuilder program;
    Address format = program.constant_text("%d %s"), word = program.constant_text("word");
    FunctionBuilder f("f");
    f.return_values({f.call(1, {f.constant(format), f.constant(42), f.constant(word)})});
    program.add(f);
    FunctionBuilder g("g", 1, true);
    Operand list = g.stack_object(24, kind), copy = g.stack_object(24, StackObjectKind::private_object);
    Operand buffer = g.stack_object(8, StackObjectKind::private_object);
    g.emit({.op = Opcode::va_start, .a = list});
    g.emit({.op = Opcode::va_copy, .a = copy, .b = list});
    g.library(LibraryCall::format_to_buffer_va, {buffer, g.constant(8), g.parameter(0), list});
    g.library(LibraryCall::print_va, {g.parameter(0), copy});
    g.return_values({g.load(buffer, 64)});
    program.add(g);
    OneThread thread(std::move(program), {.format_output = true});
    Action action = thread.run();
    std::map<Address, Value> memory;
    while (action.kind != ActionKind::finish) {
      if (action.kind == ActionKind::write) memory[action.address] = action.value;
      if (action.kind == ActionKind::print) {
        EXPECT_EQ(*action.text, "42 word");
      }
      Value answer = memory[action.address];
      if (action.kind == ActionKind::read && action.address % 16 == 0)  // both offsets at once
        answer.low |= memory[action.address + 4].low << 32;
      action = action.kind == ActionKind::read ? thread.supply(answer) : thread.proceed();
      ASSERT_NE(action.kind, ActionKind::error) << *action.text;
    }
    char expected_bytes[8] = "42 word";
    EXPECT_EQ(std::memcmp(&action.value.low, expected_bytes, 8), 0);
  }
}

}  // namespace
}  // namespace heddle::machine
