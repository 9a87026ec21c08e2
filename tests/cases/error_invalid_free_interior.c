// expect rc11: violated invalid-free at here
// Only the pointer that malloc gave may be freed.
#include <stdlib.h>
char *volatile kept;
int main(void) {
  kept = malloc(8);
  free(kept + 4);  // here
  return 0;
}
