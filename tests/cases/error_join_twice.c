// expect rc11: violated thread-misuse at here
#include "two_threads.h"
THREAD(worker) { return NULL; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  pthread_join(t, NULL);  // here
  return 0;
}
