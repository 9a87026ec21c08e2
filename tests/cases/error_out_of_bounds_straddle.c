// expect rc11: violated out-of-bounds at here
// An access that begins inside an object and ends outside of it.
#include <stdlib.h>
char *volatile bytes;
int main(void) {
  bytes = calloc(1, 6);
  int last = *(int *)(bytes + 4);  // here
  free(bytes);
  return last;
}
