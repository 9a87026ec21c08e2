// expect rc11, ra: violated race at here
// expect sc, tso: verified 2
// A relaxed flag does not publish plain data; under sc and tso every reads-from synchronises.
#include "two_threads.h"
int data;
atomic_int flag;
THREAD(a) { data = 1; STORE(flag, 1, relaxed); return NULL; }                     // here
THREAD(b) { if (LOAD(flag, relaxed)) assert(data == 1); return NULL; }            // here
int main(void) { run_two(a, b); return 0; }
