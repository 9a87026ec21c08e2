// expect rc11, sc: verified 2
// Two swaps from 0: the first wins; the second fails and learns the winner's value. Weak ones do not fail at random.
#include <stdbool.h>
#include "two_threads.h"
atomic_int x;
THREAD(a) {
  int expected = 0;
  if (!atomic_compare_exchange_weak(&x, &expected, 1)) assert(expected == 2);
  return NULL;
}
THREAD(b) {
  int expected = 0;
  if (!atomic_compare_exchange_strong(&x, &expected, 2)) assert(expected == 1);
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
