// expect rc11: violated deadlock at here
// A normal mutex is not recursive.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);  // here
  return 0;
}
