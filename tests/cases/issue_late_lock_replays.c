// expect sc, rc11: violated assertion
// The only way to the error is a lock taken before one that is never freed: found, and replayed.
#include <heddle.h>
#include "two_threads.h"
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *a(void *p) { pthread_mutex_lock(&m); heddle_assume(0); return p; }
static void *b(void *p) { pthread_mutex_lock(&m); assert(0); return p; }
int main(void) { run_two(a, b); }
