// expect rc11: verified 2
// Two exchanges of a 16-byte value: one execution for each order; halves are never torn.
#include "two_threads.h"
_Atomic unsigned __int128 x;
static void swap(unsigned long n) {
  unsigned __int128 mine = ((unsigned __int128)n << 64) | n;
  unsigned __int128 old = atomic_exchange(&x, mine);
  assert((unsigned long)old == (unsigned long)(old >> 64));
}
THREAD(a) { swap(1); return NULL; }
THREAD(b) { swap(2); return NULL; }
int main(void) { run_two(a, b); return 0; }
