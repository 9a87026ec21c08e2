// expect rc11: violated uninitialized at here
// malloc does not clear its memory.
#include <stdlib.h>
int *volatile kept;
int main(void) {
  kept = malloc(2 * sizeof *kept);
  kept[0] = 1;
  int second = kept[1];  // here
  free(kept);
  return second > 0;
}
