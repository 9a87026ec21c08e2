// expect rc11: violated liveness at here message "a loop never ends"
// The loop looks at two flags in turn; nobody raises either of them. It takes two rounds to be back where it was.
#include "two_threads.h"
atomic_int flags[2];
static void *first(void *arg) { return arg; }
static void *second(void *arg) {
  int turn = 0;
  while (!atomic_load(&flags[turn])) // here
    turn = !turn;
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
