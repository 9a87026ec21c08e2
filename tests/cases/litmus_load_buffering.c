// expect sc, tso, ra, rc11: verified 3
// None of these models lets both reads see the write that comes after the other read.
#include "two_threads.h"
atomic_int x, y;
THREAD(a) { (void)LOAD(x, relaxed); STORE(y, 1, relaxed); return NULL; }
THREAD(b) { (void)LOAD(y, relaxed); STORE(x, 1, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
