// A user's model has rules of its own; a broken one is named.
// flags: --model parts/rules.kat
// expect: violated race at here message "is broken on x"
#include "two_threads.h"

atomic_int x;

THREAD(first) {
  STORE(x, 1, relaxed);
  return NULL;
}

THREAD(second) {
  STORE(x, 2, relaxed);  // here
  return NULL;
}

int main(void) {
  run_two(first, second);
  return 0;
}
