// expect rc11: violated assertion
// The loads differ in their order: nothing is merged, and the first one does not synchronise.
#include "two_threads.h"
atomic_int copy, x;
static void *writer(void *arg) {
  STORE(copy, 1, relaxed);
  STORE(x, 1, release);
  return arg;
}
static void *reader(void *arg) {
  int seen = LOAD(x, relaxed);
  while (seen != 1) seen = LOAD(x, acquire);
  assert(LOAD(copy, relaxed) == 1);
  return arg;
}
int main(void) {
  run_two(writer, reader);
  return 0;
}
