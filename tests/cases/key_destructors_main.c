// expect rc11: verified 1
// Returning from main runs no destructors.
#include "two_threads.h"
static void never(void *value) { (void)value; assert(0); }
int main(void) {
  pthread_key_t key;
  pthread_key_create(&key, never);
  pthread_setspecific(key, &key);
  return 0;
}
