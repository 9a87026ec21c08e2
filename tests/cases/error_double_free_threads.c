// expect rc11: violated double-free
// Both threads find the pointer and free it.
#include <stdlib.h>
#include "two_threads.h"
_Atomic(int *) object;
THREAD(owner) {
  int *mine = LOAD(object, acquire);
  if (mine) {
    STORE(object, NULL, release);
    free(mine);
  }
  return NULL;
}
int main(void) {
  STORE(object, malloc(sizeof(int)), release);
  run_two(owner, owner);
  return 0;
}
