// expect rc11: violated liveness
// Each thread waits for the other one's flag before it raises its own.
#include "two_threads.h"
atomic_int a, b;
static void *first(void *arg) {
  while (!atomic_load(&b))
    ;
  atomic_store(&a, 1);
  return arg;
}
static void *second(void *arg) {
  while (!atomic_load(&a))
    ;
  atomic_store(&b, 1);
  return arg;
}
int main(void) {
  run_two(first, second);
  return 0;
}
