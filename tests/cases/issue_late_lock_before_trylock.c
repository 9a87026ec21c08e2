// expect sc, rc11: violated assertion
// A thread that waits for a mutex which a trylock took for good may also have come first.
#include <heddle.h>
#include "two_threads.h"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) { if (pthread_mutex_trylock(&m) == 0) heddle_assume(0); return p; }
static void *b(void *p) { pthread_mutex_lock(&m); assert(0); return p; }
int main(void) { run_two(a, b); }
