// expect rc11, sc, tso, ra: verified
// Readers see both variables changed, or none.
#include <assert.h>
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int x, y;
static void *write(void *arg) {
  pthread_rwlock_wrlock(&lock);
  ++x;
  ++y;
  pthread_rwlock_unlock(&lock);
  return arg;
}
static void *read(void *arg) {
  pthread_rwlock_rdlock(&lock);
  assert(x == y);
  pthread_rwlock_unlock(&lock);
  return arg;
}
int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, write, 0);
  pthread_create(&threads[1], 0, read, 0);
  pthread_create(&threads[2], 0, read, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  pthread_rwlock_destroy(&lock);
}
