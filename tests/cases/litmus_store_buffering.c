// expect sc: verified 3
// expect tso, ra, rc11: verified 4
// Each read sees 0 or 1; only sc forbids that both see 0.
#include "two_threads.h"
atomic_int x, y;
THREAD(a) { STORE(x, 1, relaxed); (void)LOAD(y, relaxed); return NULL; }
THREAD(b) { STORE(y, 1, relaxed); (void)LOAD(x, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
