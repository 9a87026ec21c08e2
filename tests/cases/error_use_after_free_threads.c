// expect rc11, sc: violated use-after-free
// One thread frees while another one still uses the object.
#include <stdlib.h>
#include "two_threads.h"
atomic_int *object;
THREAD(user) { STORE(*object, 1, relaxed); return NULL; }
THREAD(owner) { free(object); return NULL; }
int main(void) {
  object = malloc(sizeof *object);
  atomic_init(object, 0);
  run_two(user, owner);
  return 0;
}
