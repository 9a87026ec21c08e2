// expect rc11: verified 1
// An error-checking mutex reports misuse by an error number instead.
#define _GNU_SOURCE
#include <errno.h>
#include "two_threads.h"
pthread_mutex_t mutex;
THREAD(other) { assert(pthread_mutex_unlock(&mutex) == EPERM); return NULL; }
int main(void) {
  pthread_mutexattr_t attribute;
  pthread_t t;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&mutex, &attribute);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
  assert(pthread_mutex_lock(&mutex) == 0);
  assert(pthread_mutex_lock(&mutex) == EDEADLK);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  assert(pthread_mutex_unlock(&mutex) == 0);
  return 0;
}
