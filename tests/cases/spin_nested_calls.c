// expect rc11: verified 4
// Nested loops with continue, goto and a call in between: every way back to the head changes nothing.
#include "two_threads.h"
atomic_int lock;
int shared;
static int is_free(atomic_int *word) { return atomic_load_explicit(word, memory_order_relaxed) == 0; }
static void acquire(void) {
again:
  for (;;) {
    while (!is_free(&lock))
      ;
    int expected = 0;
    if (!atomic_compare_exchange_strong_explicit(&lock, &expected, 1, memory_order_acquire, memory_order_relaxed)) {
      if (expected == 1) goto again;
      continue;
    }
    break;
  }
}
static void *both(void *arg) {
  acquire();
  shared++;
  atomic_store_explicit(&lock, 0, memory_order_release);
  return arg;
}
static void *first(void *arg) { return both(arg); }
static void *second(void *arg) { return both(arg); }
int main(void) {
  run_two(first, second);
  return 0;
}
