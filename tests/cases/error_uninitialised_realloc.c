// expect rc11: violated uninitialized at here
// What realloc adds is not initialised.
#include <stdlib.h>
int *volatile kept;
int main(void) {
  kept = calloc(1, sizeof *kept);
  kept = realloc(kept, 2 * sizeof *kept);
  int added = kept[1];  // here
  free(kept);
  return added > 0;
}
