// expect sc, tso, ra, rc11: violated race at here
// Two plain writes that nothing orders.
#include "two_threads.h"
int x;
THREAD(a) { x = 1; return NULL; }  // here
THREAD(b) { x = 2; return NULL; }  // here
int main(void) { run_two(a, b); return 0; }
