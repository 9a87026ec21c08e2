// expect rc11, sc, tso, ra: verified 1 blocked 0
// A loop that waits for a flag needs no bound: an iteration that changes nothing is not run again.
#include "two_threads.h"
atomic_int flag;
int data;
static void *first(void *arg) {
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load_explicit(&flag, memory_order_acquire)) {
  }
  assert(data == 1);
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
