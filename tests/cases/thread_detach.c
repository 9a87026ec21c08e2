// expect rc11: verified 2
// The detached thread's store is seen or not; main ends by pthread_exit, so the thread always runs to its end.
#include "two_threads.h"
atomic_int x;
THREAD(worker) { STORE(x, 1, relaxed); return NULL; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  assert(pthread_detach(t) == 0);
  (void)LOAD(x, relaxed);
  pthread_exit(NULL);
}
