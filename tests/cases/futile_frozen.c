// expect rc11, sc: verified 1 blocked 0
// The reader waits because it has read an old x; that it read y since, which nobody writes again, does not help it.
// futile_frozen_all.c explores the others, too.
#include "two_threads.h"
atomic_int x, y;
static void *writer(void *arg) {
  STORE(y, 1, release);
  STORE(x, 1, release);
  return arg;
}
static void *reader(void *arg) {
  int first, second;
  do {
    first = LOAD(x, acquire);
    second = LOAD(y, acquire);
  } while (!first || !second);
  return arg;
}
int main(void) {
  run_two(writer, reader);
  return 0;
}
