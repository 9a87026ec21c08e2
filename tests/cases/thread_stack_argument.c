// expect rc11: verified 1
// A local variable shared by its address, ordered by create and join.
#include "two_threads.h"
static void *add(void *pointer) { *(int *)pointer += 1; return NULL; }
int main(void) {
  pthread_t t;
  int local = 41;
  pthread_create(&t, NULL, add, &local);
  pthread_join(t, NULL);
  assert(local == 42);
  return 0;
}
