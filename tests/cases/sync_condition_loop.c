// expect rc11, sc, tso, ra: verified 2
// The waiting thread comes first and is woken, or comes second and does not wait: two executions.
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
  while (!ready) pthread_cond_wait(&condition, &mutex);
  assert(data == 42);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
