// expect rc11, ra: verified 2
// Whoever wins the exchange, the plain read is ordered: no race, though both exchanges could have won.
#include "two_threads.h"
atomic_int x;
static void *a(void *p) {
  int expected = 0;
  if (atomic_compare_exchange_strong(&x, &expected, 1)) assert(*(int *)&x == 1);
  return p;
}
static void *b(void *p) {
  int expected = 0;
  atomic_compare_exchange_strong(&x, &expected, 2);
  return p;
}
int main(void) { run_two(a, b); }
