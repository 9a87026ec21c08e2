// expect rc11: bounded 3
// flags: --no-spin-assume --unroll 2
// With the treatment of spin loops switched off, the bound cuts the loop.
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
