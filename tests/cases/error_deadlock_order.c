// expect rc11, sc: violated deadlock
// Two mutexes taken in opposite order.
#include "two_threads.h"
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void both(pthread_mutex_t *a, pthread_mutex_t *b) {
  pthread_mutex_lock(a);
  pthread_mutex_lock(b);
  pthread_mutex_unlock(b);
  pthread_mutex_unlock(a);
}
THREAD(forwards) { both(&first, &second); return NULL; }
THREAD(backwards) { both(&second, &first); return NULL; }
int main(void) { run_two(forwards, backwards); return 0; }
