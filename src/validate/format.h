// The text that printf makes of a format and arguments of the checked program, for the second interpreter: its length
// and its bytes are values that the program can use. Tested in format_test.cpp against the C library.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/value.h"
#include "bytecode/address_space.h"

namespace heddle::validate {

// `next_argument` gives one slot of 8 bytes or two, false if there are no more; `byte_at` a byte of a string, false if
// it cannot be read. What cannot be read appears as "?" and sets `readable` to false.
std::string formatted(bytecode::Address format, const std::function<bool(bool two_slots, Value&)>& next_argument,
                      const std::function<bool(bytecode::Address, std::uint8_t&)>& byte_at, bool& readable);

}  // namespace heddle::validate
