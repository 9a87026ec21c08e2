// expect rc11, tso: verified 3
// Store buffering with __sync_synchronize, a full fence: at least one thread sees the other.
#include "two_threads.h"
int x, y, count, lock;
THREAD(a) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); __sync_synchronize();
            (void)__atomic_load_n(&y, __ATOMIC_RELAXED); return NULL; }
THREAD(b) { __atomic_store_n(&y, 1, __ATOMIC_RELAXED); __sync_synchronize();
            (void)__atomic_load_n(&x, __ATOMIC_RELAXED); return NULL; }
int main(void) {
  run_two(a, b);
  assert(__sync_fetch_and_add(&count, 2) == 0 && __sync_sub_and_fetch(&count, 1) == 1);
  assert(__sync_bool_compare_and_swap(&count, 1, 4) && __sync_val_compare_and_swap(&count, 1, 9) == 4);
  assert(__sync_lock_test_and_set(&lock, 1) == 0);
  __sync_lock_release(&lock);
  return 0;
}
