// Message passing done right: the flag is raised with a release store and read with an acquire load.
//
// Whoever sees the flag also sees everything that was written before it was raised. There are two executions: the
// reader comes too early and sees no flag, or it sees the flag and the data.
//
//   ./heddle check examples/message_passing_fixed.c
//
// expect: verified 2
// expect sc: verified 2
// expect tso: verified 2
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int data;
atomic_int ready;

static void *writer(void *unused) {
  (void)unused;
  atomic_store_explicit(&data, 42, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_release);
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  if (atomic_load_explicit(&ready, memory_order_acquire)) {
    int seen = atomic_load_explicit(&data, memory_order_relaxed);
    assert(seen == 42);
  }
  return NULL;
}

int main(void) {
  pthread_t w, r;
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, NULL);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return 0;
}
