// expect rc11: verified 1
// Every thread has its own copy, which starts with the initial value.
#include "two_threads.h"
_Thread_local int counter = 5;
_Thread_local int array[3] = {1, 2, 3};
static int *address_of_counter(void) { return &counter; }
THREAD(worker) {
  counter++;
  array[counter - 6] = 9;
  assert(*address_of_counter() == 6 && array[0] == 9 && array[2] == 3);
  return NULL;
}
int main(void) {
  run_two(worker, worker);
  assert(counter == 5 && array[0] == 1);
  return 0;
}
