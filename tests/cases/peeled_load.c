// expect rc11, sc: verified 1 blocked 0
// The first round of the loop stands before it. A thread that has read 1 waits; it need not read again for that.
// peeled_off.c counts executions in which it does.
#include "two_threads.h"
atomic_int x;
static void *writer(void *arg) {
  for (int i = 1; i <= 3; i++) STORE(x, i, release);
  return arg;
}
static void *reader(void *arg) {
  int seen = LOAD(x, acquire);
  while (seen != 3) seen = LOAD(x, acquire);
  return arg;
}
int main(void) {
  run_two(writer, reader);
  return 0;
}
