// expect sc, tso, rc11: violated assertion
// A barrier that is destroyed and set up anew counts from zero again.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
pthread_barrier_t barrier;
static void *wait(void *p) { pthread_barrier_wait(&barrier); return p; }
int main(void) {
  for (int round = 0; round < 2; round++) {
    pthread_t t[2];
    pthread_barrier_init(&barrier, 0, 2);
    for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, wait, 0);
    for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
    pthread_barrier_destroy(&barrier);
  }
  assert(0);
}
