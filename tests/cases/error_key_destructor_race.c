// expect rc11: violated race
// What a destructor does belongs to the thread that ends.
#include "two_threads.h"
pthread_key_t key;
int shared;
static void write_it(void *value) { *(int *)value = 1; }
THREAD(ends) { pthread_setspecific(key, &shared); return NULL; }
THREAD(reads) { return shared ? &shared : NULL; }
int main(void) {
  pthread_key_create(&key, write_it);
  run_two(ends, reads);
  return 0;
}
