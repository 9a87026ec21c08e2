// expect rc11: verified 1
// The argument goes in, the result comes out.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static void *add_one(void *argument) { return (void *)((intptr_t)argument + 1); }
int main(void) {
  pthread_t t[2];
  void *result;
  for (intptr_t i = 0; i < 2; i++) pthread_create(&t[i], NULL, add_one, (void *)(10 * i));
  assert(pthread_join(t[1], &result) == 0 && (intptr_t)result == 11);
  assert(pthread_join(t[0], &result) == 0 && (intptr_t)result == 1);
  return 0;
}
