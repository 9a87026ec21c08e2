// expect rc11, sc: violated assertion
// flags: --unroll 3
// Thread 2 can see what thread 1 adds for a moment. If rounds were left out all the same, none would be there for it to
// see in executions in which thread 1 comes to its end.
#include "two_threads.h"
atomic_int x = 1, seen;
static void *flicker(void *arg) {
  while (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) != 42) atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
static void *look(void *arg) {
  if (atomic_load_explicit(&x, memory_order_relaxed) == 2) atomic_store_explicit(&seen, 1, memory_order_relaxed);
  atomic_exchange_explicit(&x, 42, memory_order_relaxed);
  return arg;
}
int main(void) {
  run_two(flicker, look);
  assert(!seen);
  return 0;
}
