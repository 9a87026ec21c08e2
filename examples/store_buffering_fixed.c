// Store buffering done right: sequentially consistent stores and loads.
//
// All seq_cst operations take place in one order that everybody agrees on. Whichever store comes second in it, the load
// after that store sees the other one. Three executions: left sees right, right sees left, or both see each other.
//
//   ./heddle check examples/store_buffering_fixed.c
//
// expect: verified 3
// expect tso: verified 3
// expect sc: verified 3
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

atomic_int left_is_here, right_is_here;
int left_saw_right, right_saw_left;

static void *left(void *unused) {
  (void)unused;
  atomic_store_explicit(&left_is_here, 1, memory_order_seq_cst);
  left_saw_right = atomic_load_explicit(&right_is_here, memory_order_seq_cst);
  return NULL;
}

static void *right(void *unused) {
  (void)unused;
  atomic_store_explicit(&right_is_here, 1, memory_order_seq_cst);
  right_saw_left = atomic_load_explicit(&left_is_here, memory_order_seq_cst);
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
