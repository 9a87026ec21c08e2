// expect rc11: verified
// A barrier can be used again at once; two rounds.
#define _GNU_SOURCE
#include "two_threads.h"
pthread_barrier_t barrier;
int first, second;
THREAD(a) {
  first = 1;
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  assert(second == 1);
  return NULL;
}
THREAD(b) {
  pthread_barrier_wait(&barrier);
  second = first;
  pthread_barrier_wait(&barrier);
  return NULL;
}
int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run_two(a, b);
  return 0;
}
