// The C form of litmus programs: what it says, and what it says to expect. That it means the same is for
// tests/random_c/run to show.
#include "print_c.h"

#include "test_support.h"

namespace heddle::cross_check {
namespace {

using enum ReferenceModel;

TEST(PrintC, TellsCountsAndErrors) {
  const LitmusProgram buffering = program_of(
      "thread\n store x 1 relaxed\n r0 = load y relaxed\nthread\n store y 1 relaxed\n r0 = load x relaxed\n");
  const LitmusProgram racy = program_of("thread\n store x 1 plain\nthread\n r0 = load x relaxed\n");
  EXPECT_EQ(print_expectations({buffering}, {sc, tso}), "// expect sc: verified 3\n// expect tso: verified 4\n");
  EXPECT_EQ(print_expectations({buffering, buffering}, {sc}), "// expect sc: verified 6\n");
  EXPECT_EQ(print_expectations({racy}, {sc}), "// expect sc: violated any\n");
  EXPECT_EQ(print_expectations({buffering, racy}, {sc}), "");
  EXPECT_FALSE(can_be_printed_as_c(program_of("barrier b 1\nthread\n wait b\n")));
}

TEST(PrintC, PrintsEveryOperation) {
  const std::string text = print_c({program_of(
      "array a 2\nthread\n r0 = load x acquire\n store a[r0] r0+1 plain\n r1 = fetch_add x 2 acq_rel\n"
      " r2 = cas a[1] 0 1 seq_cst relaxed\n if r2 == 0 skip 1\n again 2 times 1\n fence release\n"
      " r3 = malloc\n store *r3 1 relaxed\n free r3\n create 2\n join 2\n"
      "thread\n lock m\n unlock m\n r0 = trylock m\n r1 = choose 0 2\n assume r1 == 1\n r2 = exchange x 3 relaxed\n")});
  for (const char* part :
       {"static _Atomic long p0_a[2];", "static _Atomic long p0_x;", "pthread_mutex_t p0_m = PTHREAD_MUTEX_INITIALIZER",
        "r0 = atomic_load_explicit(&p0_x, memory_order_acquire);",
        "*(long*)(&p0_a[(unsigned)r0 % 2]) = r0 + 1;", "r1 = atomic_fetch_add_explicit(&p0_x, 2, memory_order_acq_rel);",
        "{ long seen = 0; atomic_compare_exchange_strong_explicit(&p0_a[1], &seen, 1, memory_order_seq_cst, "
        "memory_order_relaxed); r2 = seen; }",
        "if (r2 == 0) goto l6;", "l3:;", "if (c5 == 1) { c5 = 0; } else { c5++; goto l3; }", "l6:;",
        "atomic_thread_fence(memory_order_release);", "r3 = (long)calloc(1, sizeof(long));",
        "atomic_store_explicit((_Atomic long*)r3, 1, memory_order_relaxed);", "free((void*)r3);",
        "pthread_create(&t2, 0, p0_thread2, 0);", "pthread_join(t2, 0);", "pthread_mutex_lock(&p0_m);",
        "pthread_mutex_unlock(&p0_m);", "r0 = pthread_mutex_trylock(&p0_m) != 0;", "r1 = (long)heddle_choose(0, 2);",
        "heddle_assume(r1 == 1);", "r2 = atomic_exchange_explicit(&p0_x, 3, memory_order_relaxed);",
        "assert(r2 != 987654321);", "int main(void) {\n  p0_run();"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

}  // namespace
}  // namespace heddle::cross_check
