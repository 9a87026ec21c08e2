// From source files to a program in bytecode: the one entry point of the front end, and its only header that the
// rest of Heddle includes (no LLVM in sight).
//
// The stages: compile each file with clang (compile_source), read and link the modules (read_module), undo what clang
// did to memory orders and small structs (check_memory_orders, copy_coerced_structs), turn local variables into
// registers where that hides nothing (promote_variables), take vectors apart (scalarize_vectors), decide which objects
// other threads can reach (capture_analysis), lower to bytecode (lower_module). Tested in load_program_test.cpp and
// run_program_test.cpp.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "bytecode/program.h"

namespace heddle::frontend {

// The loop that begins at this place is cut off after `bound` iterations.
struct LoopBoundOption {
  std::string file;
  unsigned line = 0;
  std::uint32_t bound = 0;
};

struct FrontendOptions {
  std::vector<std::string> files;        // C, C++, LLVM assembly or bitcode, by extension
  std::vector<std::string> clang_flags;  // passed to clang as they are, e.g. {"-DN=3"}
  std::string entry = "main";            // the function to run first
  bool loop_counters = false;  // emit loop_begin and loop_iterate, also for loops without a bound of their own
  std::vector<LoopBoundOption> loop_bounds;
  std::vector<std::string> unbounded_functions;  // no general bound for their loops
  bool spurious_wakeups = false;  // condition variables may wake threads that nobody has woken
  bool merge_peeled_rounds = true;  // see merge_peeled_rounds.h
  std::string dump_ir;  // write the LLVM IR that is lowered to this file, unless empty
  std::string clang = "clang-19";  // the compiler to run, looked up in PATH
};

// The program, ready to run, or what is wrong with the input. If `messages` is given, the compiler's
// warnings are appended to it, as it wrote them.
Result<bytecode::Program> load_program(const FrontendOptions& options, std::string* messages = nullptr);

}  // namespace heddle::frontend
