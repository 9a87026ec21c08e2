// expect: exit 3 at here message "error: pthread_cond_wait: condition variables are not supported yet"
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_cond_wait(&condition, &mutex);  // here
  return 0;
}
