// expect rc11: verified 1
// malloc, calloc, free; free(NULL) does nothing; malloc(0) may be freed.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  int *a = malloc(2 * sizeof *a), *b = calloc(3, sizeof *b);
  assert(a && b && a != b);
  a[0] = 1;
  a[1] = 2;
  assert(b[0] + b[1] + b[2] == 0 && a[0] + a[1] == 3);
  free(a);
  free(b);
  free(NULL);
  free(malloc(0));
  return 0;
}
