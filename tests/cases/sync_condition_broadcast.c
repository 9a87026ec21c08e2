// expect rc11, sc: verified
// clang: -DALL
// A broadcast wakes every thread that waits.
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
int ready;
static void *wait(void *arg) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, 0);
  pthread_create(&b, 0, wait, 0);
  pthread_mutex_lock(&mutex);
  ready = 1;
#ifdef ALL
  pthread_cond_broadcast(&condition);
#else
  pthread_cond_signal(&condition);
#endif
  pthread_mutex_unlock(&mutex);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
