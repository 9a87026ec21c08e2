// expect rc11: violated assertion at here
// pthread_exit in main runs destructors.
#include "two_threads.h"
static void reached(void *value) { assert(value == NULL); }  // here
pthread_key_t key;
int main(void) {
  pthread_key_create(&key, reached);
  pthread_setspecific(key, &key);
  pthread_exit(NULL);
}
