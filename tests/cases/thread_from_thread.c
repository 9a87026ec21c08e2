// expect rc11: verified 2
// A thread creates a thread and joins it; its store is seen by main's unordered read or not.
#include "two_threads.h"
atomic_int x;
THREAD(inner) { STORE(x, 1, relaxed); return NULL; }
THREAD(outer) {
  pthread_t t;
  pthread_create(&t, NULL, inner, NULL);
  pthread_join(t, NULL);
  assert(LOAD(x, relaxed) == 1);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, outer, NULL);
  (void)LOAD(x, relaxed);
  pthread_join(t, NULL);
  return 0;
}
