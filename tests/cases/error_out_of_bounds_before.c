// expect rc11: violated out-of-bounds at here
// One before the beginning.
#include <stdlib.h>
volatile int minus_one = -1;
int main(void) {
  char *a = malloc(4);
  a[minus_one] = 1;  // here
  free(a);
  return 0;
}
