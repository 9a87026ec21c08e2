// expect rc11: verified 1
// pthread_self in the thread is the handle that pthread_create stored; main's is another one.
#include "two_threads.h"
pthread_t child;
static void *worker(void *main_thread) {
  assert(!pthread_equal(pthread_self(), *(pthread_t *)main_thread));
  child = pthread_self();
  return NULL;
}
int main(void) {
  pthread_t t, self = pthread_self();
  pthread_create(&t, NULL, worker, &self);
  pthread_join(t, NULL);
  assert(pthread_equal(child, t) && pthread_equal(self, pthread_self()));
  return 0;
}
