// expect sc, tso, ra, rc11: verified 3
// Release and acquire forbid the new flag with the old data; the other three stay.
#include "two_threads.h"
atomic_int data, flag;
THREAD(a) { STORE(data, 1, relaxed); STORE(flag, 1, release); return NULL; }
THREAD(b) { (void)LOAD(flag, acquire); (void)LOAD(data, relaxed); return NULL; }
int main(void) { run_two(a, b); return 0; }
