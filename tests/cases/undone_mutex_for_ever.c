// expect rc11, sc: violated liveness
// Nobody ever puts anything there.
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int there, elsewhere;
static void *producer(void *arg) {
  pthread_mutex_lock(&mutex);
  elsewhere = 1;
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
