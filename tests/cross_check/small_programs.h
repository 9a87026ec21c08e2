// Every program of a small size, one by one: two threads of `length` operations each over two locations, operations
// from a fixed menu of loads, stores, fetch_adds and fences with a few orders. Every store writes a value of its own.
// Programs that differ only by exchanging the threads or the locations are left out.
#pragma once

#include <cstddef>
#include <functional>

#include "litmus_program.h"

namespace heddle::cross_check {

struct SmallProgramOptions {
  int length = 2;        // operations a thread
  bool more_orders = false;  // release and acquire beside relaxed and seq_cst, and compare-exchanges
};

// Calls `visit` with every program until it returns false. Returns how many were visited.
std::size_t for_each_small_program(const SmallProgramOptions& options,
                                   const std::function<bool(const LitmusProgram&)>& visit);

}  // namespace heddle::cross_check
