// expect rc11: violated assertion
// The loop gives up after three rounds; the error lies behind that.
#include "two_threads.h"
atomic_int flag;
static void *first(void *arg) { return arg; }
static void *second(void *arg) {
  int rounds = 0;
  while (!atomic_load(&flag)) {
    if (++rounds == 3) break;
  }
  assert(rounds < 3);
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
