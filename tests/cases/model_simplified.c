// What a program cannot break is not checked, and --verbose says so.
// flags: --verbose
// expect rc11: verified 4 message "acyclic psc: cannot be broken by this program"
// expect sc: verified 3
#include "two_threads.h"

atomic_int x, y;

THREAD(first) {
  STORE(x, 1, relaxed);
  LOAD(y, relaxed);
  return NULL;
}

THREAD(second) {
  STORE(y, 1, relaxed);
  LOAD(x, relaxed);
  return NULL;
}

int main(void) {
  run_two(first, second);
  return 0;
}
