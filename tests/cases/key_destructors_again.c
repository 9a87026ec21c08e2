// expect rc11: verified 1
// A destructor that sets a value again is called again, four times in all.
#include <limits.h>
#include "two_threads.h"
pthread_key_t key;
int calls;
static void again(void *value) {
  ++calls;
  pthread_setspecific(key, value);
}
THREAD(worker) { pthread_setspecific(key, &key); return NULL; }
int main(void) {
  pthread_t t;
  pthread_key_create(&key, again);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(calls == PTHREAD_DESTRUCTOR_ITERATIONS);
  return 0;
}
