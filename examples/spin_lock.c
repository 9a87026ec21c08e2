// A spin lock around a plain counter.
//
// The bug: the lock is given back with a relaxed store. The lock still keeps the two threads apart, but the next owner
// does not get to see what the last one did to the counter: the two increments are a data race. x86 is kinder than C
// here: under `--model tso` every store is a release store, and the program is right.
//
// A real lock would try again and again; heddle_assume keeps only the executions in which it gets through.
//
//   ./heddle check examples/spin_lock.c
//
// expect: violated race
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

static void unlock(void) { atomic_store_explicit(&held, 0, memory_order_relaxed); }

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
