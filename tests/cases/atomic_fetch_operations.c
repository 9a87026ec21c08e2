// expect rc11, tso: verified 1
// A single thread: every read-modify-write gives the old value and stores the new one.
#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
atomic_int x = 6;
_Atomic(int *) p;
atomic_bool flag;
int array[4];
int main(void) {
  assert(atomic_fetch_add(&x, 3) == 6 && x == 9);
  assert(atomic_fetch_sub(&x, 4) == 9 && x == 5);
  assert(atomic_fetch_or(&x, 10) == 5 && x == 15);
  assert(atomic_fetch_and(&x, 9) == 15 && x == 9);
  assert(atomic_fetch_xor(&x, 1) == 9 && x == 8);
  assert(atomic_exchange(&x, -1) == 8 && x == -1);
  assert(x++ == -1 && ++x == 1 && x-- == 1 && (x += 5) == 5 && (x |= 2) == 7);
  p = array;
  assert(atomic_fetch_add(&p, 2) == array && p == array + 2 && --p == array + 1);
  assert(!atomic_exchange(&flag, true) && flag);
  return 0;
}
