// expect rc11: verified 4
// One gets it and the other fails on it (2), or both get it one after the other (2).
#include <errno.h>
#include "two_threads.h"
pthread_mutex_t mutex;
int counter;
THREAD(worker) {
  int error = pthread_mutex_trylock(&mutex);
  assert(error == 0 || error == EBUSY);
  if (error == 0) {
    counter++;
    pthread_mutex_unlock(&mutex);
  }
  return NULL;
}
int main(void) {
  pthread_mutex_init(&mutex, NULL);
  run_two(worker, worker);
  assert(counter == 1 || counter == 2);
  assert(pthread_mutex_destroy(&mutex) == 0);
  return 0;
}
