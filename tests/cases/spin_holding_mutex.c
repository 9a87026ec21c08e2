// expect rc11: violated liveness
// One thread spins while it holds the mutex that the other one needs to end the wait.
#include "two_threads.h"
atomic_int flag;
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!atomic_load(&flag))
    ;
  pthread_mutex_unlock(&mutex);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&mutex);
  atomic_store(&flag, 1);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
