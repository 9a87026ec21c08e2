// expect rc11: violated uninitialized at here
#include <stdlib.h>
int main(void) {
  long double *p = malloc(2 * sizeof *p);
  p[0] = 1;
  return p[0] + p[1] > 0;  // here
}
