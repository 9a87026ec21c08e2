// expect rc11: violated lock-misuse at here
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_unlock(&mutex);  // here
  return 0;
}
