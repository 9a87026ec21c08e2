// expect rc11: verified 1
// A thread-local whose address goes to another thread is shared memory like any other; create and join order it.
#include "two_threads.h"
_Thread_local int mine = 1;
static void *add(void *pointer) {
  assert(mine == 1);
  *(int *)pointer += 10;
  assert(mine == 1);
  return NULL;
}
int main(void) {
  pthread_t t;
  mine = 2;
  pthread_create(&t, NULL, add, &mine);
  pthread_join(t, NULL);
  assert(mine == 12);
  return 0;
}
