// Translates a litmus program to bytecode, without any front end: one function a thread, and a main function that creates
// and joins them. The pthread_t cells are private stack objects, so main makes no memory events.
// Tested in oracle_test.cpp (shape) and by every cross-check (meaning).
#pragma once

#include "bytecode/program.h"
#include "litmus_program.h"

namespace heddle::cross_check {

inline constexpr std::uint64_t location_size = 4;
inline constexpr std::uint64_t mutex_size = 40;  // as pthread_mutex_t on x86-64

// Where location number i lies; mutexes are numbered after the locations.
inline bytecode::Address address_of_location(int location) {
  return bytecode::globals_begin + static_cast<bytecode::Address>(location) * (bytecode::object_gap + 64);
}

bytecode::Program to_bytecode(const LitmusProgram& program);

}  // namespace heddle::cross_check
