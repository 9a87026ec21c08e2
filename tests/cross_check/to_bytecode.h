// Translates a litmus program to bytecode, without any front end: one function a thread, and a main function that sets
// the barriers up and creates and joins the threads. The pthread_t cells are private stack objects, so main makes no
// memory events but those of the barriers. Tested in oracle_test.cpp (shape) and by every cross-check (meaning).
#pragma once

#include "bytecode/program.h"
#include "litmus_program.h"

namespace heddle::cross_check {

inline constexpr std::uint64_t mutex_size = 40, barrier_size = 32;  // as pthread_mutex_t, pthread_barrier_t on x86-64

// 4 bytes, or 8 in a program with pointers.
std::uint64_t size_of_location(const LitmusProgram& program);

// Where location number i lies; mutexes are numbered after the locations, and barriers lie behind both. The elements of
// an array lie side by side.
bytecode::Address address_of_location(const LitmusProgram& program, int location);
bytecode::Address address_of_barrier(const LitmusProgram& program, int barrier);

bytecode::Program to_bytecode(const LitmusProgram& program);

}  // namespace heddle::cross_check
