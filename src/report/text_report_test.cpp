// The literal text of reports for hand-made executions: what people read is what is tested.
#include "report/text_report.h"

#include <gtest/gtest.h>

#include "report/example_executions.h"

namespace heddle::report {
namespace {

std::string text(const Example& example) { return text_of_error(example.program, example.violation, "rc11", {}); }

TEST(TextReport, MessagePassing) {
  const Example example = message_passing(MemoryOrder::relaxed, MemoryOrder::acquire);
  EXPECT_EQ(text_report(example.program, example.report(), {}), R"(error: assertion failed: data == 42
  at mp.c:24:5, in thread 2 (reader)

  thread 1 (writer)           thread 2 (reader)
    12  data = 42  relaxed      20  reads ready: 1  acquire, from line 13
    13  ready = 1  relaxed      23  reads data: 0   relaxed, initial value
                              ! 24  assertion failed

No interleaving of the threads shows this; it takes a reordering:
  writer writes data = 42 (line 12), then writes ready = 1 (line 13)
    ^ may be reordered: the write of line 13 is only relaxed
  reader reads ready = 1 (line 20, from line 13), then reads data = 0 (line 23), older than line 12 of writer

verdict: violated
executions: 2 complete, 0 blocked
time: 0.02 s
)");
}

TEST(TextReport, StoreBuffering) {
  EXPECT_EQ(text(store_buffering(MemoryOrder::release)), R"(error: assertion failed: a == 1 || b == 1
  at sb.c:30:5, in thread 0 (main)

  thread 1 (left)
      8  x = 1       release
      9  reads y: 0  release, initial value
      9  a = 0
  thread 2 (right)
      15  y = 1       release
      16  reads x: 0  release, initial value
      16  b = 0
  thread 0 (main)
      30  reads a: 0  from line 9
      30  reads b: 0  from line 16
    ! 30  assertion failed

No interleaving of the threads shows this; it takes a reordering:
  right writes y = 1 (line 15), then reads x = 0 (line 16), older than line 8 of left
    ^ may be reordered: the write of line 15 may be delayed past the read of line 16, as they are not both seq_cst
  left writes x = 1 (line 8), then reads y = 0 (line 9), older than line 15 of right
    ^ may be reordered: the write of line 8 may be delayed past the read of line 9, as they are not both seq_cst
)");
}

TEST(TextReport, Deadlock) {
  EXPECT_EQ(text(lock_cycle()), R"(error: deadlock
  thread 1 (forwards), at abba.c:13, waits for second, held by backwards since line 23
  thread 2 (backwards), at abba.c:24, waits for first, held by forwards since line 12
  thread 0 (main), at abba.c:45, waits for forwards to end

An interleaving that shows it:
   1. thread 1 (forwards)
        12  locks first
   2. thread 2 (backwards)
        23  locks second
      ! 24  waits for first, held by forwards since line 12
   3. thread 1 (forwards)
      ! 13  waits for second, held by backwards since line 23
)");
}

TEST(TextReport, Race) {
  EXPECT_EQ(text(plain_race()), R"(error: data race on counter
  thread 1 (worker #1) writes counter = 1 (plain) at race.c:8
  thread 2 (worker #2) reads counter = 1 (plain) at race.c:8
  nothing orders these two accesses

An interleaving that shows it:
   1. thread 1 (worker #1)
        8  reads counter: 0  initial value
      ! 8  counter = 1
   2. thread 2 (worker #2)
      ! 8  reads counter: 1  from line 8
)");
}

TEST(TextReport, UseAfterFree) {
  EXPECT_EQ(text(freed_too_early()), R"(error: use after free: malloc@free.c:10[8]
  at free.c:21:5, in thread 2 (user)
  malloc@free.c:10 (16 bytes) was allocated at free.c:10, by thread 1 (owner)
  malloc@free.c:10 was freed at free.c:12, by thread 1 (owner)

An interleaving that shows it:
   1. thread 1 (owner)
        10  allocates malloc@free.c:10 (16 bytes)
        11  node = 7       release
        12  frees malloc@free.c:10
   2. thread 2 (user)
        20  reads node: 7  acquire, from line 11
      ! 21  use after free
)");
}

TEST(TextReport, QuietIsHeadlineAndPlace) {
  const Example example = message_passing(MemoryOrder::relaxed, MemoryOrder::acquire);
  EXPECT_EQ(text_of_error(example.program, example.violation, "rc11", {false, true, false}),
            "error: assertion failed: data == 42\n  at mp.c:24:5, in thread 2 (reader)\n");
}

TEST(TextReport, VerboseShowsEveryEvent) {
  const Example example = message_passing(MemoryOrder::relaxed, MemoryOrder::acquire);
  const std::string all = text_of_error(example.program, example.violation, "rc11", {false, false, true});
  EXPECT_NE(all.find("starts writer"), std::string::npos);
  EXPECT_EQ(text(example).find("starts writer"), std::string::npos);
}

TEST(TextReport, ColorsChangeNothingElse) {
  const Example example = message_passing(MemoryOrder::relaxed, MemoryOrder::acquire);
  std::string colored = text_of_error(example.program, example.violation, "rc11", {true, false, false});
  EXPECT_NE(colored, text(example));
  for (std::size_t at = 0; (at = colored.find('\033')) != std::string::npos;)
    colored.erase(at, colored.find('m', at) + 1 - at);
  EXPECT_EQ(colored, text(example));
}

TEST(TextReport, LastThreeLinesAndWhatComesBefore) {
  Example example;
  CheckReport report = example.report();
  report.errors.clear();
  report.verdict = Verdict::bounded;
  report.setup.unroll = 3;
  report.blocked = 1;
  report.bounds = {{example.at(0, 7), 2, 3, false}};
  bytecode::Violation leak;
  leak.kind = bytecode::ErrorKind::memory_leak;
  leak.message = "memory allocated here is never freed in some execution";
  leak.position = example.at(0, 9);
  report.warnings = {leak};
  EXPECT_EQ(text_report(example.program, report, {}),
            "warning: memory leak: memory allocated here is never freed in some execution\n  at example.c:9:5\n\n"
            "bound: the loop at example.c:7 was cut off after 3 iterations, 2 times\n"
            "  next: --unroll 6, or --unroll-loop example.c:7=6 for it alone\n"
            "verdict: bounded\nexecutions: 2 complete, 1 blocked\ntime: 0.02 s\n");
}

TEST(TextReport, DiagnosticWithCaret) {
  EXPECT_EQ(text_of({"m.kat", 3, 9, "unknown relation `poo`", "did you mean `po`?", "acyclic poo"}, false),
            "m.kat:3:9: error: unknown relation `poo`\n  acyclic poo\n          ^\n  did you mean `po`?\n");
}

}  // namespace
}  // namespace heddle::report
