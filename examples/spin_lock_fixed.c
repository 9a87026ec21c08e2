// A spin lock around a plain counter, done right: the lock is given back with a release store.
//
// Taking the lock (acquire) reads from giving it back (release), so everything the last owner did happens before
// everything the next one does: no race. Two executions: one for each order in which the threads get the lock.
//
// A real lock would try again and again; heddle_assume keeps only the executions in which it gets through.
//
//   ./heddle check examples/spin_lock_fixed.c
//
// expect: verified 2
// expect tso: verified 2
// expect sc: verified 2
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int held;
int counter;

static void lock(void) {
  int expected = 0;
  heddle_assume(
      atomic_compare_exchange_strong_explicit(&held, &expected, 1, memory_order_acquire, memory_order_relaxed));
}

static void unlock(void) { atomic_store_explicit(&held, 0, memory_order_release); }

static void *worker(void *unused) {
  (void)unused;
  lock();
  counter++;
  unlock();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(counter == 2);
  return 0;
}
