// expect rc11: violated deadlock at here message "no thread can go on"
// The condition is not looked at under the mutex: the signal may come before anybody waits, and is lost.
#include <pthread.h>
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static void *first(void *arg) {
  pthread_cond_signal(&condition);
  return arg;
}
static void *second(void *arg) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);  // here
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) { run_two(first, second); }
