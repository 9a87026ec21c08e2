// expect rc11: verified 1 blocked 0
// flags: --unroll 2
// A loop that only waits is not cut off by the bound.
#include "two_threads.h"
atomic_int flag;
static void *first(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load(&flag))
    ;
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
