// expect: exit 3 at here
// Atomic accesses of different sizes to the same bytes are not supported: both places are named.
#include <stdint.h>
#include "two_threads.h"
uint64_t x;
THREAD(a) { __atomic_store_n(&x, 1, __ATOMIC_RELAXED); return NULL; }                        // here
THREAD(b) { (void)__atomic_load_n((uint8_t *)&x + 1, __ATOMIC_RELAXED); return NULL; }       // here
int main(void) { run_two(a, b); return 0; }
