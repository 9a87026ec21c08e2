// expect rc11: violated deadlock
// Either thread may get the only unit, and then the other one waits for ever.
#include <semaphore.h>
#include "two_threads.h"
sem_t units;
static void *first(void *arg) {
  sem_wait(&units);
  return arg;
}
int main(void) {
  sem_init(&units, 0, 1);
  run_two(first, first);
}
