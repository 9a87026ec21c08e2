// expect rc11: violated thread-misuse at here
#include "two_threads.h"
THREAD(worker) { return NULL; }
int main(void) {
  pthread_attr_t attributes;
  pthread_t t;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&t, &attributes, worker, NULL);
  pthread_join(t, NULL);  // here
  return 0;
}
