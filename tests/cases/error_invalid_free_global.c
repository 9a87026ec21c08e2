// expect rc11: violated invalid-free at here
// Globals are not on the heap.
#include <stdlib.h>
int global;
int *volatile pointer = &global;
int main(void) {
  free(pointer);  // here
  return 0;
}
