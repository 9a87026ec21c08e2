// expect sc, tso: verified 3
// expect ra, rc11: verified 4
// Two orders for each location; sc and tso forbid that both first writes come last.
#include "two_threads.h"
atomic_int x, y;
THREAD(a) { STORE(x, 1, relaxed); STORE(y, 2, relaxed); return NULL; }
THREAD(b) { STORE(y, 1, relaxed); STORE(x, 2, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
