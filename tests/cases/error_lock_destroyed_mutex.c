// expect rc11: violated lock-misuse at here
#include <pthread.h>
pthread_mutex_t mutex;
int main(void) {
  pthread_mutex_init(&mutex, NULL);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex);  // here
  return 0;
}
