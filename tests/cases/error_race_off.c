// expect rc11: verified 2
// flags: --no-race-detection
// With race detection off the read sees 0 or 1.
#include "two_threads.h"
volatile int x;
THREAD(a) { x = 1; return NULL; }
THREAD(b) { (void)x; return NULL; }
int main(void) { run_two(a, b); return 0; }
