// Every thread waits at a barrier.
#include "threads.h"
static pthread_barrier_t barrier;
static void body(int number) {
  (void)number;
  pthread_barrier_wait(&barrier);
}
int main(void) {
  pthread_barrier_init(&barrier, 0, N);
  run_threads();
}
