// expect rc11: verified
// Memory orders that are known only at run time, for every kind of operation and both ways to implement it.
#include <heddle.h>
#include "two_threads.h"
struct pair { long a, b; };
_Atomic int x;
_Atomic struct pair y;
long plain[2];
static const int load_orders[] = {memory_order_relaxed, memory_order_consume, memory_order_acquire,
                                  memory_order_seq_cst};
static const int store_orders[] = {memory_order_relaxed, memory_order_release, memory_order_seq_cst};
int main(void) {
  int load = load_orders[heddle_choose(0, 3)], store = store_orders[heddle_choose(0, 2)];
  int any = (int)heddle_choose(memory_order_relaxed, memory_order_seq_cst);
  atomic_store_explicit(&x, 1, store);
  assert(atomic_load_explicit(&x, load) == 1);
  assert(atomic_fetch_add_explicit(&x, 2, any) == 1 && atomic_exchange_explicit(&x, 5, any) == 3);
  int expected = 4;
  assert(!atomic_compare_exchange_strong_explicit(&x, &expected, 6, any, load) && expected == 5);
  assert(atomic_compare_exchange_weak_explicit(&x, &expected, 6, any, load) && atomic_load(&x) == 6);
  atomic_thread_fence(any);
  struct pair first = {1, 2}, second = {3, 4}, seen = {0, 0};
  atomic_store_explicit(&y, first, store);
  seen = atomic_load_explicit(&y, load);
  assert(seen.a == 1 && seen.b == 2);
  seen = atomic_exchange_explicit(&y, second, any);
  assert(seen.a == 1);
  assert(!atomic_compare_exchange_strong_explicit(&y, &seen, first, any, load) && seen.b == 4);
  assert(atomic_compare_exchange_strong_explicit(&y, &seen, first, any, load));
  __atomic_store(&plain[0], &(long){7}, store);
  long value;
  __atomic_load(&plain[0], &value, load);
  assert(value == 7);
  return 0;
}
