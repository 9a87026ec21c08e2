// expect rc11: verified
// Waiting may take too long; or the thread is woken.
#include "condition.h"
THREAD(wait) {
  struct timespec until = {0, 0};
  int result = 0;
  pthread_mutex_lock(&mutex);
  if (!ready) result = pthread_cond_timedwait(&condition, &mutex, &until);
  assert(result == 0 || result == ETIMEDOUT);
  assert(ready || result == ETIMEDOUT);
  pthread_mutex_unlock(&mutex);
  return NULL;
}
int main(void) { run_two(signal_ready, wait); }
