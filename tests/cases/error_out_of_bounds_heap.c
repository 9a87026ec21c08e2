// expect rc11: violated out-of-bounds at here
// One past the end.
#include <stdlib.h>
volatile int four = 4;
int main(void) {
  int *a = calloc(4, sizeof *a);
  a[four] = 1;  // here
  free(a);
  return 0;
}
