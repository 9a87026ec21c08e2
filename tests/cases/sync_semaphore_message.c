// expect rc11, sc, tso, ra: verified 1 blocked 0
// What was written before sem_post is seen after sem_wait.
#include <assert.h>
#include <semaphore.h>
#include "two_threads.h"
sem_t ready;
int data;
static void *first(void *arg) {
  data = 42;
  sem_post(&ready);
  return arg;
}
static void *second(void *arg) {
  sem_wait(&ready);
  assert(data == 42);
  return arg;
}
int main(void) {
  sem_init(&ready, 0, 0);
  run_two(first, second);
}
