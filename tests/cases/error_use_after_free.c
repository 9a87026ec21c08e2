// expect rc11: violated use-after-free at here
// The same thread reads what it has freed.
#include <stdlib.h>
int *volatile kept;
int main(void) {
  int *p = malloc(sizeof *p);
  kept = p;
  *p = 1;
  free(p);
  return *kept;  // here
}
