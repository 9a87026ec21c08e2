// expect rc11, sc, tso, ra: verified
// flags: --spurious-wakeups
// A condition that is looked at again after waking up.
#include <assert.h>
#include <pthread.h>
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready, data;
static void *first(void *arg) {
  pthread_mutex_lock(&mutex);
  data = 42;
  ready = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  if (ready) assert(data == 42);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
