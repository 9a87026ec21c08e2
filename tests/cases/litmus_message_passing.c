// expect sc, tso: verified 3
// expect ra, rc11: verified 4
// Both reads see 0 or 1; sc and tso forbid the new flag with the old data.
#include "two_threads.h"
atomic_int data, flag;
THREAD(a) { STORE(data, 1, relaxed); STORE(flag, 1, relaxed); return NULL; }
THREAD(b) { (void)LOAD(flag, relaxed); (void)LOAD(data, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
