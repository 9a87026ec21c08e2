// expect rc11: violated deadlock
// Three are awaited, two come.
#define _GNU_SOURCE
#include "two_threads.h"
pthread_barrier_t barrier;
THREAD(worker) { pthread_barrier_wait(&barrier); return NULL; }
int main(void) {
  pthread_barrier_init(&barrier, NULL, 3);
  run_two(worker, worker);
  return 0;
}
