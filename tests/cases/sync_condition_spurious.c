// expect rc11: violated assertion at here
// flags: --spurious-wakeups
// `if` instead of `while`: a thread that wakes up for no reason goes on too early.
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
  assert(ready);  // here
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
