// expect rc11: verified 1
// flags: --unroll 2 --unroll-loop bound_own_loop.c:8=5
// A loop may have a bound of its own: this one needs five iterations.
#include <assert.h>
#include <stdatomic.h>
atomic_int x;
int main(void) {
  for (int i = 0; i < 5; ++i) atomic_fetch_add(&x, 1);
  assert(x == 5);
}
