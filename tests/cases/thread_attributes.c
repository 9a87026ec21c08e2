// expect rc11: verified
// Attributes: a thread created detached runs; what says how much stack it gets has no effect.
#include "two_threads.h"
atomic_int done;
THREAD(worker) { STORE(done, 1, release); return NULL; }
int main(void) {
  pthread_attr_t attributes;
  pthread_t t;
  int state;
  size_t size;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_JOINABLE);
  assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0 && pthread_attr_setguardsize(&attributes, 0) == 0);
  assert(pthread_attr_getstacksize(&attributes, &size) == 0 && size == 1 << 20);
  pthread_create(&t, &attributes, worker, NULL);
  assert(pthread_join(t, NULL) == 0 && LOAD(done, relaxed) == 1);
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_setdetachstate(&attributes, 17) != 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&t, &attributes, worker, NULL) == 0);
  assert(pthread_attr_destroy(&attributes) == 0);
  return 0;
}
