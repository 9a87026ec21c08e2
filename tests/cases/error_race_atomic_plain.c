// expect rc11: violated race at here
// One plain access is enough for a race.
#include "two_threads.h"
int x;
THREAD(a) { __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); return NULL; }  // here
THREAD(b) { x = 2; return NULL; }                                      // here
int main(void) { run_two(a, b); return 0; }
