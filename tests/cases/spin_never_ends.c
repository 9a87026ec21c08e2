// expect rc11, sc: violated liveness at here
// Nobody raises the flag.
#include "two_threads.h"
atomic_int flag;
static void *first(void *arg) { return arg; }
static void *second(void *arg) {
  while (!atomic_load(&flag)) // here
    ;
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
