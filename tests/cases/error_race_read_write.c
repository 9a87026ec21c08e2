// expect rc11: violated race at here
// A plain read and a plain write that nothing orders; volatile does not help.
#include "two_threads.h"
volatile int x;
THREAD(a) { x = 1; return NULL; }    // here
THREAD(b) { (void)x; return NULL; }  // here
int main(void) { run_two(a, b); return 0; }
