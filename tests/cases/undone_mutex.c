// expect rc11, sc: verified 1
// Looking with the mutex held, until there is something: the rounds that see nothing are left out, and no bound is needed.
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int there;
static void *producer(void *arg) {
  pthread_mutex_lock(&mutex);
  there = 1;
  pthread_mutex_unlock(&mutex);
  return arg;
}
static void *consumer(void *arg) {
  for (int found = 0; !found;) {
    pthread_mutex_lock(&mutex);
    found = there;
    pthread_mutex_unlock(&mutex);
  }
  return arg;
}
int main(void) {
  run_two(producer, consumer);
  return 0;
}
