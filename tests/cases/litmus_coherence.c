// expect sc, tso, ra, rc11: verified 3
// Two reads of one location: 00, 01, 11; 10 goes against coherence in every model.
#include "two_threads.h"
atomic_int x;
THREAD(a) { STORE(x, 1, relaxed); return NULL; }
THREAD(b) { (void)LOAD(x, relaxed); (void)LOAD(x, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
