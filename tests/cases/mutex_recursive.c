// expect rc11: verified 2
// A recursive mutex may be taken again by its owner; others wait until it was given back as often: two orders.
#define _GNU_SOURCE
#include "two_threads.h"
pthread_mutex_t mutex;
int counter;
static void add(void) {
  pthread_mutex_lock(&mutex);
  counter++;
  pthread_mutex_unlock(&mutex);
}
THREAD(worker) {
  pthread_mutex_lock(&mutex);
  add();
  add();
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) {
  pthread_mutexattr_t attribute;
  pthread_mutexattr_init(&attribute);
  pthread_mutexattr_settype(&attribute, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attribute);
  pthread_mutexattr_destroy(&attribute);
  run_two(worker, worker);
  assert(counter == 4);
  return 0;
}
