// Every thread waits at a barrier three times.
#include "threads.h"
static pthread_barrier_t barrier;
static void body(int number) {
  (void)number;
  for (int round = 0; round < 3; ++round) pthread_barrier_wait(&barrier);
}
int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  run_threads();
}
