// expect rc11: violated thread-misuse at here
// A handle that no pthread_create has made.
#include <pthread.h>
volatile pthread_t nobody = 12345;
int main(void) {
  pthread_join(nobody, NULL);  // here
  return 0;
}
