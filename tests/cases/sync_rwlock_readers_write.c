// expect rc11: violated race at here
// Two threads that hold the lock for reading may both be inside.
#include <pthread.h>
#include "two_threads.h"
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x;
static void *first(void *arg) {
  pthread_rwlock_rdlock(&lock);
  ++x;  // here
  pthread_rwlock_unlock(&lock);
  return arg;
}
int main(void) { run_two(first, first); }
