// Makes a failing program small: tries ever simpler variants and keeps each one that still fails, until no single
// simplification fails any more. Tested in oracle_test.cpp.
#pragma once

#include <functional>

#include "litmus_program.h"

namespace heddle::cross_check {

// `fails` must hold for `program`. Locks and unlocks are only ever removed in pairs, a
// thread's creation only with its join.
LitmusProgram shrink(const LitmusProgram& program, const std::function<bool(const LitmusProgram&)>& fails);

}  // namespace heddle::cross_check
