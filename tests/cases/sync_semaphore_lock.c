// expect rc11, sc, tso, ra: verified 6
// A semaphore as a lock: one execution for every order of the three threads.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t semaphore;
int count;
static void *run(void *arg) {
  sem_wait(&semaphore);
  ++count;
  sem_post(&semaphore);
  return arg;
}
int main(void) {
  pthread_t threads[3];
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], 0, run, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(count == 3);
  sem_destroy(&semaphore);
}
