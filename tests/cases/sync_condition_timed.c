// expect rc11: verified
// Waiting may take too long, also if nobody ever wakes the thread; or it is woken.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;
static void *first(void *arg) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return arg;
}
static void *second(void *arg) {
  struct timespec until = {0, 0};
  int result = 0;
  pthread_mutex_lock(&mutex);
  if (!ready) result = pthread_cond_timedwait(&condition, &mutex, &until);
  assert(result == 0 || result == ETIMEDOUT);
  assert(ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
