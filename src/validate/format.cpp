// See format.h. A conversion is first read as a whole, then its argument is fetched, then the C library prints that one
// number with a specification made here.
#include "validate/format.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "bytecode/conventions.h"

namespace heddle::validate {

namespace {

template <class... Arguments>
std::string printed(const std::string& specification, Arguments... arguments) {
  const int length = std::snprintf(nullptr, 0, specification.c_str(), arguments...);
  if (length < 0) return "";
  std::string text(static_cast<std::size_t>(length) + 1, '\0');
  std::snprintf(text.data(), text.size(), specification.c_str(), arguments...);
  text.pop_back();
  return text;
}

bool is_one_of(char letter, const char* letters) { return letter != 0 && std::strchr(letters, letter) != nullptr; }

struct Source {
  bytecode::Address at;
  const std::function<bool(bool, Value&)>& next_argument;
  const std::function<bool(bytecode::Address, std::uint8_t&)>& byte_at;
  bool& readable;
  bool unreadable_format = false;

  // The next letter of the format; 0 at its end.
  char letter() {
    std::uint8_t byte = 0;
    if (!byte_at(at, byte)) {
      unreadable_format = true;
      readable = false;
      return 0;
    }
    ++at;
    return static_cast<char>(byte);
  }
  Value argument(bool two_slots = false) {
    Value value;
    if (!next_argument(two_slots, value)) readable = false;
    return value;
  }
  std::string string(bytecode::Address address, std::size_t most) {
    std::string text;
    for (std::uint8_t byte = 0; text.size() < most; ++address) {
      if (!byte_at(address, byte)) {
        readable = false;
        return text + '?';
      }
      if (byte == 0) break;
      text += static_cast<char>(byte);
    }
    return text;
  }
  // A number or a star; moves `next` on to the letter after it.
  int number(char& next) {
    int value = 0;
    if (next == '*') {
      value = std::clamp(static_cast<int>(argument().low), -bytecode::widest_conversion, bytecode::widest_conversion);
      next = letter();
      return value;
    }
    for (; next >= '0' && next <= '9'; next = letter())
      value = std::min(value * 10 + (next - '0'), bytecode::widest_conversion);
    return value;
  }
};

std::string padded(const std::string& text, const std::string& flags, int width) {
  const std::size_t wanted = static_cast<std::size_t>(width);
  if (text.size() >= wanted) return text;
  const std::string blanks(wanted - text.size(), ' ');
  return flags.find('-') != std::string::npos ? text + blanks : blanks + text;
}

// The text of one conversion; sets `ended` if the format ends within it.
std::string conversion(Source& source, bool& ended) {
  std::string flags;
  char next = source.letter();
  for (; is_one_of(next, "-+ #0"); next = source.letter())
    if (flags.find(next) == std::string::npos) flags += next;
  int width = source.number(next);
  if (width < 0) {
    width = -width;
    flags += '-';
  }
  int precision = -1;
  if (next == '.') {
    next = source.letter();
    precision = source.number(next);
  }
  unsigned length = 4;
  bool long_double = false;
  for (; is_one_of(next, "hljztLq"); next = source.letter()) {
    if (next == 'h')
      length = length == 2 ? 1 : 2;
    else if (next == 'L')
      long_double = true;
    else
      length = 8;
  }
  ended = next == 0;
  if (ended) return "";

  std::string specification = "%" + flags + std::to_string(width);
  if (width == 0) specification = "%" + flags;
  if (precision >= 0) specification += "." + std::to_string(precision);
  const unsigned unused = 64 - 8 * length;
  if (is_one_of(next, "di")) {
    const auto value = static_cast<std::int64_t>(source.argument().low << unused) >> unused;
    return printed(specification + "lld", static_cast<long long>(value));
  }
  if (is_one_of(next, "uxXo")) {
    const std::uint64_t value = source.argument().low << unused >> unused;
    return printed(specification + "ll" + next, static_cast<unsigned long long>(value));
  }
  if (next == 'c') return printed(specification + "c", static_cast<int>(source.argument().low & 0xff));
  if (next == 'p') {
    const std::uint64_t value = source.argument().low;
    if (value == 0) return padded("(nil)", flags, width);
    return printed("%#" + specification.substr(1) + "llx", static_cast<unsigned long long>(value));
  }
  if (next == 's') {
    const bytecode::Address address = source.argument().low;
    const std::size_t most = precision >= 0 ? static_cast<std::size_t>(precision) : bytecode::longest_text;
    return padded(address == 0 ? "(null)" : source.string(address, most), flags, width);
  }
  if (is_one_of(next, "fFeEgGaA")) {
    if (long_double) {
      const Value value = source.argument(true);
      long double number = 0;
      std::memcpy(&number, &value, 10);
      return printed(specification + "L" + next, number);
    }
    const std::uint64_t value = source.argument().low;
    double number = 0;
    std::memcpy(&number, &value, sizeof number);
    return printed(specification + next, number);
  }
  return next == '%' ? "%" : std::string("%") + next;
}

}  // namespace

std::string formatted(bytecode::Address format, const std::function<bool(bool, Value&)>& next_argument,
                      const std::function<bool(bytecode::Address, std::uint8_t&)>& byte_at, bool& readable) {
  Source source{format, next_argument, byte_at, readable};
  std::string text;
  bool ended = false;
  while (!ended && text.size() < bytecode::longest_text) {
    const char letter = source.letter();
    if (letter == 0) break;
    text += letter == '%' ? conversion(source, ended) : std::string(1, letter);
  }
  if (source.unreadable_format) text += '?';
  return text;
}

}  // namespace heddle::validate
