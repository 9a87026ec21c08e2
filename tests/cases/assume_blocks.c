// expect rc11: verified 1 blocked 1
// flags: --no-futile-pruning
// Only the execution in which the flag is up goes on; the other one is blocked.
#include "two_threads.h"
void __VERIFIER_assume(int);
atomic_int flag;
THREAD(a) { STORE(flag, 1, relaxed); return NULL; }
THREAD(b) { __VERIFIER_assume(LOAD(flag, relaxed) == 1); return NULL; }
int main(void) { run_two(a, b); return 0; }
