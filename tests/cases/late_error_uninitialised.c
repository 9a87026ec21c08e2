// expect parts/late_order.kat: violated uninitialized
// A read of uninitialised memory is looked for at the end of an execution.
#include "litmus.h"
#include <stdlib.h>
int main(void) {
  atomic_int *p = malloc(sizeof *p);
  int value = R(*p);
  free((void *)p);
  return value;
}
