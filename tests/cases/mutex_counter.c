// expect sc, tso, ra, rc11: verified 2
// Two threads take a mutex: one execution for each order; the plain counter inside is safe.
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int counter;
THREAD(worker) {
  assert(pthread_mutex_lock(&mutex) == 0);
  counter++;
  assert(pthread_mutex_unlock(&mutex) == 0);
  return NULL;
}
int main(void) {
  run_two(worker, worker);
  assert(counter == 2);
  return 0;
}
