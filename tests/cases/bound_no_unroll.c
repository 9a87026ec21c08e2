// expect rc11: verified 1
// flags: --unroll 2 --no-unroll count
// The loops of `count` have no bound.
#include <stdatomic.h>
atomic_int x;
static void count(void) {
  for (int i = 0; i < 5; ++i) atomic_fetch_add(&x, 1);
}
int main(void) { count(); }
