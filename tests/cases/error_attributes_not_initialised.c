// expect rc11: violated uninitialized at here
#include "two_threads.h"
THREAD(worker) { return NULL; }
int main(void) {
  pthread_attr_t attributes;
  pthread_t t;
  pthread_create(&t, &attributes, worker, NULL);  // here
  pthread_join(t, NULL);
  return 0;
}
