// expect sc, rc11: violated assertion, assertion
// flags: --keep-going
// After the first error the other threads go on, so that the second one is found as well.
#include "two_threads.h"
atomic_int x, y;
static void *a(void *p) { int r = atomic_load(&x); assert(r != 0); assert(r != 1); return p; }
static void *b(void *p) { if (atomic_load(&y) == 0) atomic_store(&x, 1); return p; }
int main(void) { run_two(a, b); }
