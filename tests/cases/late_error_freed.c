// expect parts/late_order.kat: violated use-after-free
// expect: violated use-after-free
// The second thread uses what the first has freed; that is told when the third has made the execution allowed.
#include "litmus.h"
#include <stdlib.h>
static atomic_int *p;
atomic_int x;
THREAD(a, free((void *)p); STORE(x, 1, release))
THREAD(b, if (LOAD(x, acquire) == 1) W(*p, 1))
THREAD(c, W(x, 2))
int main(void) {
  p = malloc(sizeof *p);
  RUN(a, b, c);
  return 0;
}
