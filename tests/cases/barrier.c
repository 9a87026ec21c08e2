// expect rc11, sc: verified
// What comes before the barrier happens before what comes after it. (The order of arrival still counts, so no count here.)
#define _GNU_SOURCE
#include "two_threads.h"
pthread_barrier_t barrier;
int left, right;
THREAD(a) { left = 1; pthread_barrier_wait(&barrier); assert(right == 2); return NULL; }
THREAD(b) { right = 2; pthread_barrier_wait(&barrier); assert(left == 1); return NULL; }
int main(void) {
  pthread_barrier_init(&barrier, NULL, 2);
  run_two(a, b);
  assert(pthread_barrier_destroy(&barrier) == 0);
  return 0;
}
