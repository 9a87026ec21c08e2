// expect rc11: verified 1
// Destructors run at the end of a thread, with the value, which is NULL by then; on pthread_exit as well.
#include <stdlib.h>
#include "two_threads.h"
pthread_key_t key, plain, c;
int returned, exited, order;
static void count(void *value) {
  assert(pthread_getspecific(key) == NULL);
  ++*(int *)value;
}
static void release(void *value) { free(value); }
THREAD(returns) {
  pthread_setspecific(key, &returned);
  pthread_setspecific(plain, &returned);
  pthread_setspecific(c, malloc(4));
  return &order;
}
static void deep(void) {
  int local = 0;
  pthread_setspecific(key, &exited);
  pthread_exit(&local == NULL ? NULL : &order);
}
THREAD(exits) { deep(); return NULL; }
THREAD(unused) { return NULL; }
int main(void) {
  pthread_t t;
  void *result;
  assert(pthread_key_create(&key, count) == 0 && pthread_key_create(&plain, NULL) == 0);
  assert(pthread_key_create(&c, release) == 0);
  pthread_create(&t, NULL, returns, NULL);
  pthread_join(t, &result);
  assert(returned == 1 && result == &order);
  pthread_create(&t, NULL, exits, NULL);
  pthread_join(t, &result);
  assert(exited == 1 && result == &order);
  pthread_create(&t, NULL, unused, NULL);
  pthread_join(t, NULL);
  pthread_key_delete(key);
  pthread_create(&t, NULL, exits, NULL);
  pthread_join(t, NULL);
  assert(returned == 1 && exited == 1);
  return 0;
}
