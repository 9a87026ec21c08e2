// expect rc11: violated assertion
// flags: --unroll 3
// A round that changes nothing in the end is not left out where another thread can see what it changes: the second read
// sees the value put back after the first has seen it changed.
#include "two_threads.h"
atomic_int x = 1, gone;
static void *flicker(void *arg) {
  while (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) != 42) atomic_fetch_sub_explicit(&x, 1, memory_order_relaxed);
  return arg;
}
static void *look(void *arg) {
  if (atomic_load_explicit(&x, memory_order_relaxed) == 2) assert(atomic_load_explicit(&x, memory_order_relaxed) != 1);
  atomic_exchange_explicit(&x, 42, memory_order_relaxed);
  return arg;
}
int main(void) {
  run_two(flicker, look);
  return 0;
}
