// expect rc11, rc11-c11: violated use-after-free
// expect rc11-2017: verified
// Memory is freed by a reader of the end of a release sequence, which another store may have cut.
#include "litmus.h"
static atomic_int *x; atomic_int y;
#include <stdlib.h>
THREAD(a, STORE(*x, 1, relaxed); STORE(y, 1, release); STORE(y, 3, relaxed))
THREAD(b, STORE(y, 2, relaxed))
THREAD(c, if (LOAD(y, acquire) == 3) free((void *)x))
int main(void) {
  x = malloc(sizeof *x);
  atomic_init(x, 0);
  RUN(a, b, c);
  return 0;
}
