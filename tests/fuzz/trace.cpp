// Any text as the trace that `heddle replay` reads: it is refused, or its path is decoded and taken by the explorer on a
// program that it need not fit.
#include <cstddef>
#include <cstdint>
#include <string>

#include "bytecode/builder.h"
#include "report/json_reader.h"
#include "report/path_text.h"
#include "small_run.h"

namespace {

using namespace heddle;
using bytecode::FunctionBuilder;
using bytecode::LibraryCall;
using bytecode::Operand;

// Two threads that write and read two variables, a mutex, a choice and an assertion that may fail.
bytecode::Program small_program() {
  bytecode::ProgramBuilder program;
  const bytecode::Address x = program.global("x", 4), y = program.global("y", 4), mutex = program.global("m", 40);
  std::uint32_t threads[2];
  for (int t = 0; t < 2; ++t) {
    FunctionBuilder thread(t == 0 ? "first" : "second", 1);
    thread.store(thread.constant(t == 0 ? x : y), thread.constant(1), 32, MemoryOrder::relaxed);
    const Operand seen = thread.load(thread.constant(t == 0 ? y : x), 32, MemoryOrder::relaxed);
    thread.library(LibraryCall::mutex_lock, {thread.constant(mutex)});
    thread.read_modify_write(bytecode::RmwOp::add, thread.constant(x), seen, 32, MemoryOrder::seq_cst);
    thread.library(LibraryCall::mutex_unlock, {thread.constant(mutex)});
    thread.return_values({thread.constant(0)});
    threads[t] = program.add(thread);
  }
  FunctionBuilder main("main");
  const Operand cell = main.stack_object(8, bytecode::StackObjectKind::private_object);
  for (const std::uint32_t thread : threads)
    main.library(LibraryCall::thread_create,
                 {cell, main.constant(bytecode::address_of_function(thread)), main.constant(0)});
  const Operand seen = main.load(main.constant(x), 32, MemoryOrder::acquire);
  const auto bad = main.new_label(), good = main.new_label();
  main.branch(main.binary(bytecode::Opcode::equal, seen, main.constant(2)), bad, good);
  main.bind(bad);
  main.library(LibraryCall::abort_program, {});
  main.bind(good);
  main.return_values({main.constant(0)});
  program.program.entry = program.add(main);
  return std::move(program.program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const bytecode::Program program = small_program();
  const std::string text(reinterpret_cast<const char*>(data), size);
  std::vector<std::uint32_t> path;
  const auto trace = report::parse_trace(text, "trace.json", 1);
  if (trace) {
    path = trace->path;
  } else {
    HEDDLE_CHECK(!trace.problems().empty() && !trace.problems().front().message.empty(), "refused without a reason");
    const auto choices = report::decode_path(text);
    if (!choices) return 0;
    path = *choices;
  }
  HEDDLE_CHECK(report::decode_path(report::encode_path(path)) == path, "a path does not survive being written");
  explore::ExploreOptions options = fuzz::small_limits();
  options.path = path;
  std::size_t printed = 0;
  options.on_print = [&](std::uint32_t, const std::string& line) { printed += line.size(); };
  explore::explore(program, fuzz::model("rc11"), options);
  return 0;
}
