// expect rc11: violated invalid-free at here
// Local variables are not on the heap.
#include <stdlib.h>
int *volatile kept;
int main(void) {
  int local = 0;
  kept = &local;
  free(kept);  // here
  return local;
}
