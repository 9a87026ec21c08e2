// expect rc11: verified 2
// The GNU __atomic functions on a plain int: two increments in either order.
#include "two_threads.h"
int x, flag;
THREAD(a) { __atomic_fetch_add(&x, 1, __ATOMIC_RELAXED); return NULL; }
THREAD(b) { __atomic_add_fetch(&x, 1, __ATOMIC_ACQ_REL); return NULL; }
int main(void) {
  run_two(a, b);
  int expected = 2;
  assert(__atomic_load_n(&x, __ATOMIC_ACQUIRE) == 2);
  assert(__atomic_compare_exchange_n(&x, &expected, 5, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  assert(__atomic_exchange_n(&x, 7, __ATOMIC_RELEASE) == 5);
  assert(!__atomic_test_and_set(&flag, __ATOMIC_SEQ_CST));
  __atomic_clear(&flag, __ATOMIC_RELEASE);
  __atomic_store_n(&x, 8, __ATOMIC_RELEASE);
  assert(__atomic_nand_fetch(&x, 8, __ATOMIC_SEQ_CST) == ~8);
  return 0;
}
