// expect rc11: violated use-after-free at here
// The local variables of a thread are gone when destructors run.
#include "two_threads.h"
pthread_key_t key;
int sum;
static void use(void *value) {
  sum += *(int *)value;  // here
}
THREAD(worker) {
  int local = 1;
  pthread_setspecific(key, &local);
  return NULL;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, use);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
