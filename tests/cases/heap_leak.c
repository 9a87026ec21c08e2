// expect rc11: verified 1
// warning: memory-leak
// Memory that is never freed is a warning, not an error.
#include <stdlib.h>
int *lost;
int main(void) {
  lost = malloc(sizeof *lost);
  *lost = 1;
  lost = NULL;
  return 0;
}
