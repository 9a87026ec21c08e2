// expect rc11: verified 1
// pthread_exit ends the thread from within a call; join delivers its value.
#include "two_threads.h"
int after;
static void leave(void *value) { pthread_exit(value); }
static void *worker(void *argument) {
  leave(argument);
  after = 1;
  return NULL;
}
int main(void) {
  pthread_t t;
  void *result;
  pthread_create(&t, NULL, worker, &after);
  pthread_join(t, &result);
  assert(result == &after && after == 0);
  return 0;
}
