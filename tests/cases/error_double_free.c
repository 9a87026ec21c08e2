// expect rc11: violated double-free at here
#include <stdlib.h>
int *volatile kept;
int main(void) {
  kept = malloc(sizeof *kept);
  free(kept);
  free(kept);  // here
  return 0;
}
