// Message passing: one thread writes some data, then raises a flag to say that it is there.
//
// The bug: the flag is raised with a relaxed store, and a relaxed store says nothing about the stores before it. The
// reader may see the flag and still find the old data: compilers and most processors really do this. Change
// `memory_order_relaxed` to `memory_order_release` in the line marked (1) and to `memory_order_acquire` in (2), and
// every execution is right: that is message_passing_fixed.c. Under `--model sc`, where nothing is ever reordered,
// this version is right too.
//
//   ./heddle check examples/message_passing.c
//
// expect: violated assertion
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
  atomic_store_explicit(&ready, 1, memory_order_relaxed);  // (1)
  return NULL;
}

static void *reader(void *unused) {
  (void)unused;
  if (atomic_load_explicit(&ready, memory_order_relaxed)) {  // (2)
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
