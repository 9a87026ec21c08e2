// expect rc11: verified 1
// A writer keeps everybody out, a reader only writers.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
pthread_rwlock_t lock;
static void *look(void *readable) {
  assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
  if (readable) {
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
  } else {
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
  }
  return 0;
}
int main(void) {
  pthread_t thread;
  pthread_rwlock_init(&lock, 0);
  pthread_rwlock_wrlock(&lock);
  pthread_create(&thread, 0, look, 0);
  pthread_join(thread, 0);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_create(&thread, 0, look, &lock);
  pthread_join(thread, 0);
  pthread_rwlock_unlock(&lock);
}
