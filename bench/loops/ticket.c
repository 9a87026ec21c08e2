// A ticket lock: threads wait for their number.
#include "threads.h"
static atomic_uint next, serving;
static int count;
static void body(int number) {
  (void)number;
  const unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (LOAD(serving, acquire) != mine) {
  }
  ++count;
  STORE(serving, mine + 1, release);
}
int main(void) {
  run_threads();
  assert(count == N);
}
