// The text that printf makes of a format and arguments that live in the checked program.
// Tested in format_test.cpp against the C library.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/value.h"
#include "bytecode/address_space.h"

namespace heddle::machine {

struct FormatInput {
  bytecode::Address format = 0;
  // The next argument: one slot of 64 bits, or two of them (of a long double), which start at an even one.
  // False when there are no more.
  std::function<bool(Value&, bool two_slots)> next_argument;
  // A byte of a string; false if it cannot be read.
  std::function<bool(bytecode::Address, std::uint8_t&)> byte_at;
};

// Appends the text to `output`. A string that cannot be read appears as "?"; then the result is false.
bool format_text(const FormatInput& input, std::string& output);

}  // namespace heddle::machine
