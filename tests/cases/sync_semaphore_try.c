// expect rc11: verified 4
// One of them gets the unit, or both, one after the other; nobody waits. sem_timedwait may also give up at once.
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include "two_threads.h"
sem_t units;
static void *first(void *arg) {
  if (sem_trywait(&units) == 0) sem_post(&units);
  else assert(errno == EAGAIN);
  return arg;
}
int main(void) {
  int value;
  sem_init(&units, 0, 1);
  run_two(first, first);
  sem_getvalue(&units, &value);
  assert(value == 1);
}
