// expect rc11: verified 0 blocked 1
// flags: --no-liveness
// The same loop as in spin_never_ends, not reported.
#include "two_threads.h"
atomic_int flag;
static void *first(void *arg) { return arg; }
static void *second(void *arg) {
  while (!atomic_load(&flag))
    ;
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
