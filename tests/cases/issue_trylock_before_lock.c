// expect sc, rc11: violated assertion
// A trylock may take a mutex before a lock that the exploration happened to add first.
#include "two_threads.h"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int locked;
static void *a(void *p) { pthread_mutex_lock(&m); locked = 1; pthread_mutex_unlock(&m); return p; }
static void *b(void *p) {
  if (pthread_mutex_trylock(&m) == 0) { assert(locked); pthread_mutex_unlock(&m); }
  return p;
}
int main(void) { run_two(a, b); }
