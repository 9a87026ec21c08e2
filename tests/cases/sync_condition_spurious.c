// expect rc11: violated assertion at here
// flags: --spurious-wakeups
// `if` instead of `while`: a thread that wakes up for no reason goes on too early.
#include "condition.h"
THREAD(wait) {
  pthread_mutex_lock(&mutex);
  if (!ready) pthread_cond_wait(&condition, &mutex);
  assert(ready);  // here
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) { run_two(signal_ready, wait); }
