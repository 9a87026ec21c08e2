// expect rc11: verified 2
// Publishing a pointer: the reader finds none, or a filled object.
#include "two_threads.h"
struct box { int value; } box;
_Atomic(struct box *) published;
THREAD(a) { box.value = 7; STORE(published, &box, release); return NULL; }
THREAD(b) {
  struct box *seen = LOAD(published, acquire);
  if (seen) assert(seen->value == 7);
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
