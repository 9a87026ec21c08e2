// expect rc11: violated race at here
// A semaphore that lets two threads pass protects nothing.
#include <pthread.h>
#include <semaphore.h>
sem_t semaphore;
int count;
static void *run(void *arg) {
  sem_wait(&semaphore);
  ++count;  // here
  sem_post(&semaphore);
  return arg;
}
int main(void) {
  pthread_t threads[2];
  sem_init(&semaphore, 0, 2);
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
