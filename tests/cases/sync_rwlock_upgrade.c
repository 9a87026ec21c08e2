// expect rc11: violated deadlock at here
// A lock held for reading cannot be taken for writing, too.
#include <pthread.h>
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_wrlock(&lock);  // here
}
