// expect rc11: violated division-by-zero at here
// The division is only by zero if the store comes first.
#include "two_threads.h"
atomic_int divisor = 1;
THREAD(a) { STORE(divisor, 0, relaxed); return NULL; }
THREAD(b) {
  volatile int result = 100 / LOAD(divisor, relaxed);  // here
  (void)result;
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
