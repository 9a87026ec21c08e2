// expect rc11, sc, tso, ra: verified 6
// flags: --spurious-wakeups
// A condition that is looked at again after waking up for no reason, which happens at most once.
#include "condition.h"
THREAD(wait) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  assert(ready);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) { run_two(signal_ready, wait); }
