// expect rc11: verified 1
// Operators with no instruction of their own become compare-exchange loops, which succeed at once in a single thread.
#include <assert.h>
#include <stdatomic.h>
atomic_int x = 6;
_Atomic double d = 1.5;
int main(void) {
  x *= 7;
  d += 0.25;
  assert(x == 42 && d == 1.75);
  return 0;
}
