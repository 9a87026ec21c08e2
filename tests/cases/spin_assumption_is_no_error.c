// expect rc11: verified 0 blocked 1
// The thread that would end the wait is stopped by an assumption: such executions are of no interest.
#include "two_threads.h"
#include <heddle.h>
atomic_int flag;
static void *first(void *arg) {
  heddle_assume(0);
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
