// expect rc11: verified 2
// Threads only wake up when woken, unless --spurious-wakeups is given.
#include <assert.h>
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
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
