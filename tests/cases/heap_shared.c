// expect rc11: verified 2
// A heap object published to another thread, which frees it if it finds it; else main does after the join.
#include <stdlib.h>
#include "two_threads.h"
_Atomic(int *) published;
THREAD(taker) {
  int *seen = atomic_exchange(&published, NULL);
  if (seen) {
    assert(*seen == 3);
    free(seen);
  }
  return NULL;
}
int main(void) {
  pthread_t t;
  int *object = malloc(sizeof *object);
  *object = 3;
  pthread_create(&t, NULL, taker, NULL);
  STORE(published, object, release);
  pthread_join(t, NULL);
  free(atomic_exchange(&published, NULL));
  return 0;
}
