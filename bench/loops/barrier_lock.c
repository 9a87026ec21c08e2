// After a barrier, all threads go for a test-and-test-and-set lock at once.
#include "threads.h"
static pthread_barrier_t barrier;
static atomic_int held;
static int count;
static void body(int number) {
  (void)number;
  pthread_barrier_wait(&barrier);
  do {
    while (LOAD(held, relaxed)) {
    }
  } while (atomic_exchange_explicit(&held, 1, memory_order_acquire));
  ++count;
  STORE(held, 0, release);
}
int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  run_threads();
  assert(count == N);
}
