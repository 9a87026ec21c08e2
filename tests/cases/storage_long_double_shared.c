// expect rc11: verified 1
// A shared long double, copied by memcpy and by assignment; its padding never matters. Atomics of it, too.
#include <string.h>
#include "two_threads.h"
long double x, z;
_Atomic long double y;
atomic_int ready;
THREAD(writer) {
  x = 0.1L;
  STORE(y, 2.5L, relaxed);
  STORE(ready, 1, release);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(t, NULL);
  long double copy;
  memcpy(&copy, &x, sizeof x);
  z = copy;
  assert(z == 0.1L && LOAD(y, relaxed) == 2.5L && LOAD(ready, relaxed) == 1);
  return 0;
}
