// expect rc11: violated any at here
#include <stdlib.h>
#include "two_threads.h"
atomic_int x;
THREAD(a) { STORE(x, 1, relaxed); return NULL; }
THREAD(b) {
  if (LOAD(x, relaxed)) abort();  // here
  return NULL;
}
int main(void) { run_two(a, b); return 0; }
