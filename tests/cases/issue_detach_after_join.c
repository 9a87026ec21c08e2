// expect sc, rc11: violated thread-misuse
// A thread that was joined does not exist any more.
#include <assert.h>
#include <pthread.h>
static void *nothing(void *p) { return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, nothing, 0);
  pthread_join(t, 0);
  pthread_detach(t);
}
