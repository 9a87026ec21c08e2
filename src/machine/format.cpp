// The format is taken apart here; each number is then printed by the C library with flags, width and precision that
// were checked, so no byte of the checked program's format ever reaches the C library itself.
#include "machine/format.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string_view>

#include "bytecode/conventions.h"

namespace heddle::machine {

namespace {

constexpr int widest = bytecode::widest_conversion;        // of width and precision
constexpr std::size_t longest = bytecode::longest_text;  // of a string or of the whole text

struct Conversion {
  std::string flags;
  int width = 0;
  int precision = -1;
  unsigned length = 4;  // bytes of an integer argument
  bool long_double = false;
  char kind = 0;
};

class Formatter {
 public:
  Formatter(const FormatInput& input, std::string& output) : input_(input), output_(output) {}

  bool run() {
    std::uint8_t byte = 0;
    while (output_.size() < longest && next(byte)) {
      if (byte != '%') {
        output_ += static_cast<char>(byte);
        continue;
      }
      Conversion conversion;
      if (!parse(conversion)) break;
      print(conversion);
    }
    return readable_;
  }

 private:
  bool next(std::uint8_t& byte) {
    if (!input_.byte_at(at_, byte)) {
      unreadable();
      return false;
    }
    ++at_;
    return byte != 0;
  }

  void unreadable() {
    output_ += '?';
    readable_ = false;
  }

  std::uint64_t argument() {
    Value value;
    if (!input_.next_argument(value, false)) readable_ = false;
    return value.low;
  }

  long double long_argument() {
    Value value;
    if (!input_.next_argument(value, true)) readable_ = false;
    long double result = 0;
    std::memcpy(&result, &value, 10);  // all that counts of its 16 bytes
    return result;
  }

  // A literal number or *, as width or precision.
  bool parse_number(std::uint8_t& byte, int& number) {
    if (byte == '*') {
      number = std::clamp(static_cast<int>(argument()), -widest, widest);
      return next(byte);
    }
    number = 0;
    while (byte >= '0' && byte <= '9') {
      number = std::min(number * 10 + (byte - '0'), widest);
      if (!next(byte)) return false;
    }
    return true;
  }

  bool parse_length(std::uint8_t& byte, Conversion& conversion) {
    while (std::strchr("hljztLq", byte)) {
      if (byte == 'h')
        conversion.length = conversion.length == 2 ? 1 : 2;
      else if (byte == 'L')
        conversion.long_double = true;
      else
        conversion.length = 8;
      if (!next(byte)) return false;
    }
    return true;
  }

  bool parse(Conversion& conversion) {
    std::uint8_t byte = 0;
    if (!next(byte)) return false;
    while (std::strchr("-+ #0", byte)) {
      if (conversion.flags.find(static_cast<char>(byte)) == std::string::npos)
        conversion.flags += static_cast<char>(byte);
      if (!next(byte)) return false;
    }
    if (!parse_number(byte, conversion.width)) return false;
    if (conversion.width < 0) {  // from *: a minus sign is a flag
      conversion.width = -conversion.width;
      conversion.flags += '-';
    }
    if (byte == '.') {
      if (!next(byte) || !parse_number(byte, conversion.precision)) return false;
    }
    if (!parse_length(byte, conversion)) return false;
    conversion.kind = static_cast<char>(byte);
    return true;
  }

  void print(const Conversion& conversion) {
    switch (conversion.kind) {
      case '%': output_ += '%'; return;
      case 'd':
      case 'i': {
        std::uint64_t raw = argument();
        unsigned unused = 64 - conversion.length * 8;
        return number(conversion, "ll", 'd', static_cast<long long>(raw << unused) >> unused);
      }
      case 'u':
      case 'x':
      case 'X':
      case 'o': {
        std::uint64_t mask = ~std::uint64_t{0} >> (64 - conversion.length * 8);
        return number(conversion, "ll", conversion.kind, static_cast<unsigned long long>(argument() & mask));
      }
      case 'c': return number(conversion, "", 'c', static_cast<int>(argument() & 0xff));
      case 'p': return pointer(conversion, argument());
      case 's': return string(conversion, argument());
      case 'f':
      case 'F':
      case 'e':
      case 'E':
      case 'g':
      case 'G':
      case 'a':
      case 'A': {
        if (conversion.long_double) return number(conversion, "L", conversion.kind, long_argument());
        std::uint64_t raw = argument();
        double value;
        std::memcpy(&value, &raw, sizeof value);
        return number(conversion, "", conversion.kind, value);
      }
      default: output_ += '%'; output_ += conversion.kind;
    }
  }

  template <class Number>
  void number(const Conversion& conversion, const char* length, char kind, Number value) {
    std::string specification = "%" + conversion.flags + "*";
    if (conversion.precision >= 0) specification += ".*";
    specification += length;
    specification += kind;
    char buffer[3 * widest];
    int count =
        conversion.precision >= 0
            ? std::snprintf(buffer, sizeof buffer, specification.c_str(), conversion.width, conversion.precision, value)
            : std::snprintf(buffer, sizeof buffer, specification.c_str(), conversion.width, value);
    if (count > 0) output_.append(buffer, std::min<std::size_t>(static_cast<std::size_t>(count), sizeof buffer - 1));
  }

  void pointer(Conversion conversion, std::uint64_t value) {
    if (value == 0) return pad(conversion, "(nil)");
    conversion.flags += '#';
    number(conversion, "ll", 'x', static_cast<unsigned long long>(value));
  }

  void string(const Conversion& conversion, std::uint64_t address) {
    if (address == 0) return pad(conversion, "(null)");
    std::string text;
    std::size_t most = conversion.precision >= 0 ? static_cast<std::size_t>(conversion.precision) : longest;
    for (std::uint8_t byte = 0; text.size() < most; ++address) {
      if (!input_.byte_at(address, byte)) {
        readable_ = false;
        text += '?';
        break;
      }
      if (byte == 0) break;
      text += static_cast<char>(byte);
    }
    pad(conversion, text);
  }

  void pad(const Conversion& conversion, std::string_view text) {
    auto width = static_cast<std::size_t>(conversion.width);
    std::size_t blanks = width > text.size() ? width - text.size() : 0;
    bool left = conversion.flags.find('-') != std::string::npos;
    if (!left) output_.append(blanks, ' ');
    output_ += text;
    if (left) output_.append(blanks, ' ');
  }

  const FormatInput& input_;
  std::string& output_;
  bytecode::Address at_ = input_.format;
  bool readable_ = true;
};

}  // namespace

bool format_text(const FormatInput& input, std::string& output) { return Formatter(input, output).run(); }

}  // namespace heddle::machine
