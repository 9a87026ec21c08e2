// expect rc11, sc, tso, ra: verified 2
// The waiting thread comes first and is woken, or comes second and does not wait: two executions.
#include "condition.h"
THREAD(wait) {
  pthread_mutex_lock(&mutex);
  while (!ready) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) { run_two(signal_ready, wait); }
