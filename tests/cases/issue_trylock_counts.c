// expect sc, rc11: verified 15
// One lock and two trylocks on one mutex: 15 executions, as for the same program with compare-and-swap.
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }
static void *b(void *p) { if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m); return p; }
int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], 0, a, 0);
  pthread_create(&t[1], 0, b, 0);
  pthread_create(&t[2], 0, b, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
}
