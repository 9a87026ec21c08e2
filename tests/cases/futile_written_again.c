// expect rc11, sc: verified 1
// flags: --no-liveness
// The reader waits after an old value and a newest one. The newest one changes, and then the old one was the right one:
// that it waited was not for good. (Without --no-liveness: it may also miss its chance and wait for ever.)
#include "two_threads.h"
atomic_int x, y, z;
static void *reader(void *arg) {
  int first, second;
  do {
    first = LOAD(x, acquire);
    second = LOAD(y, acquire);
  } while (first != 0 || second != 2);
  return arg;
}
static void *writer(void *arg) {
  STORE(x, 1, relaxed);
  LOAD(z, relaxed);
  STORE(y, 2, relaxed);
  return arg;
}
int main(void) {
  run_two(reader, writer);
  return 0;
}
