// expect rc11: violated barrier-misuse at here
#define _GNU_SOURCE
#include <pthread.h>
pthread_barrier_t barrier;
int main(void) {
  pthread_barrier_init(&barrier, NULL, 0);  // here
  return 0;
}
