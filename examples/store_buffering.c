// Store buffering: two threads announce themselves, then look whether the other one has. At least one should notice.
//
// The bug: with release stores and acquire loads both may miss each other, because a store may wait in the
// processor's store buffer while a later load is already done. This is what breaks naive Dekker and Peterson locks,
// even on x86 (`--model tso`). Only `--model sc` rules it out.
//
//   ./heddle check examples/store_buffering.c
//
// expect: violated assertion
// expect tso: violated assertion
// expect sc: verified 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int left_is_here, right_is_here;
int left_saw_right, right_saw_left;

static void *left(void *unused) {
  (void)unused;
  atomic_store_explicit(&left_is_here, 1, memory_order_release);
  left_saw_right = atomic_load_explicit(&right_is_here, memory_order_acquire);
  return NULL;
}

static void *right(void *unused) {
  (void)unused;
  atomic_store_explicit(&right_is_here, 1, memory_order_release);
  right_saw_left = atomic_load_explicit(&left_is_here, memory_order_acquire);
  return NULL;
}

int main(void) {
  pthread_t l, r;
  pthread_create(&l, NULL, left, NULL);
  pthread_create(&r, NULL, right, NULL);
  pthread_join(l, NULL);
  pthread_join(r, NULL);
  assert(left_saw_right || right_saw_left);
  return 0;
}
