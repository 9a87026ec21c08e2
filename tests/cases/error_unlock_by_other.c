// expect rc11: violated lock-misuse at here
// A mutex is given back by a thread that does not hold it.
#include "two_threads.h"
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
THREAD(other) { pthread_mutex_unlock(&mutex); return NULL; }  // here
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&mutex);
  pthread_create(&t, NULL, other, NULL);
  pthread_join(t, NULL);
  return 0;
}
