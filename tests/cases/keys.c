// expect rc11: verified 1
// Values by key are per thread, NULL at first.
#include "two_threads.h"
pthread_key_t key;
THREAD(worker) {
  assert(pthread_getspecific(key) == NULL);
  pthread_setspecific(key, (void *)7);
  assert(pthread_getspecific(key) == (void *)7);
  return NULL;
}
int main(void) {
  pthread_t t;
  assert(pthread_key_create(&key, NULL) == 0);
  pthread_setspecific(key, &key);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(pthread_getspecific(key) == &key);
  return 0;
}
