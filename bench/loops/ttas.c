// A lock that is looked at before it is tried: test and test-and-set.
#include "threads.h"
static atomic_int lock;
static int count;
static void body(int number) {
  (void)number;
  do {
    while (LOAD(lock, relaxed)) {
    }
  } while (atomic_exchange_explicit(&lock, 1, memory_order_acquire));
  ++count;
  STORE(lock, 0, release);
}
int main(void) {
  run_threads();
  assert(count == N);
}
